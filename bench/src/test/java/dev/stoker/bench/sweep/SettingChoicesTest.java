package dev.stoker.bench.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SettingChoicesTest {
    private static final Workload GENERATED = new Workload(null, 100, 12_000, 1);

    @Test
    void everyValueIsOneChangeOfTheBase() {
        var choices = new SettingChoices(
                List.of(true, false),
                List.of(false, true),
                List.of(true, false),
                List.of(2, 1, 4),
                List.of(64),
                List.of(false, true));
        List<Setting> settings = choices.settings();
        Setting base = new Setting(true, false, true, 2, 64, false);
        assertThat(settings).hasSize(7).doesNotHaveDuplicates().startsWith(base);
        assertThat(settings.stream().map(each -> each.nameFrom(base)))
                .containsExactly("base", "not mapped", "fixed length", "in order", "1 worker", "4 workers", "cold");
    }

    @Test
    void whatIsGivenOnceIsNotCompared() {
        var choices = new SettingChoices(
                List.of(false), List.of(true), List.of(false), List.of(8), List.of(16), List.of(true));
        assertThat(choices.settings()).containsExactly(new Setting(false, true, false, 8, 16, true));
    }

    @Test
    void workersArePowersOfTwoAroundTheCores() {
        assertThat(SettingChoices.workerCurve(2)).containsExactly(2, 1, 4);
        assertThat(SettingChoices.workerCurve(6)).containsExactly(6, 1, 2, 4, 8);
        assertThat(SettingChoices.workerCurve(1)).containsExactly(1, 2);
    }

    @Test
    void batchesSuitTheSamples() {
        var open = new SettingChoices(
                List.of(true), List.of(false, true), List.of(true), List.of(1), List.of(), List.of(false));
        assertThat(open.suiting(GENERATED, new SweepSize(1000, 12_000_000, 12_000, false, 0))
                        .batch())
                .containsExactly(64);
        assertThat(open.suiting(GENERATED, new SweepSize(10, 120_000, 12_000, false, 0))
                        .batch())
                .as("not more than there are")
                .containsExactly(10);
        assertThat(open.suiting(GENERATED, new SweepSize(100, 1_000_000_000, 50_000_000, false, 0))
                        .batch())
                .as("large samples")
                .containsExactly(3);
        var own = new Workload(Path.of("photos"), 0, 0, 1);
        assertThat(open.suiting(own, new SweepSize(10, 1000, 100, true, 0)).fixedLength())
                .as("the user's samples have the lengths that they have")
                .containsExactly(true);
    }
}
