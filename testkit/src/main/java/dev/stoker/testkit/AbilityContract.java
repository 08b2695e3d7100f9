package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.format.Capability;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.format.Plan;
import dev.stoker.format.Run;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Split;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A format can do what it says, and says no to what it cannot. */
interface AbilityContract extends Contract {
    @Test
    default void itIsFoundByItsNameAndItsEndings() {
        Workshop shop = workshop();
        assertThat(Formats.named(shop.format().name())).hasSameClassAs(shop.format());
        for (String extension : shop.format().extensions()) {
            assertThat(Formats.forOutput(Path.of("name." + extension))).hasSameClassAs(shop.format());
        }
    }

    @Test
    default void writingIsProvenOrRefused() {
        Workshop shop = workshop();
        MemorySamples samples = keyed("a/b").build();
        if (shop.format().can(Capability.WRITE)) {
            assertThat(shop.pack(samples, "written")).exists();
        } else {
            assertThatThrownBy(() -> shop.pack(samples, "written"))
                    .isInstanceOf(StokerException.class)
                    .hasMessageContaining(shop.format().name());
        }
    }

    @Test
    default void splitsAreProvenOrRefused() {
        MemorySamples samples = keyed("a/1", "a/2", "b/3")
                .splits(List.of(new Split("train", 0, 2), new Split("leer ø", 2, 0), new Split("val", 2, 1)))
                .build();
        assertProvenOrRefused(Capability.SPLITS, samples, "split");
    }

    @Test
    default void duplicateKeysAreProvenOrRefused() {
        MemorySamples samples =
                keyed("a/one", "a/twice.jpg", "b/x", "a/twice.jpg").build();
        assertProvenOrRefused(Capability.DUPLICATE_KEYS, samples, "a/twice.jpg");
    }

    @Test
    default void samplesWithoutKeyAreProvenOrRefused() {
        MemorySamples samples = MemorySamples.of(new Field(Field.DATA, new FieldType.Bytes()))
                .add(new byte[] {1, 2, 3})
                .add(new byte[] {4})
                .build();
        assertProvenOrRefused(Capability.KEYLESS, samples, "key");
    }

    @Test
    default void samplesWithoutDataAreProvenOrRefused() {
        MemorySamples samples = MemorySamples.of(
                        new Field(Field.KEY, new FieldType.Text()),
                        new Field("pixels", new FieldType.Tensor(DType.UINT8, List.of(2L, 2L))))
                .add("a/1", new byte[] {1, 2, 3, 4})
                .add("a/2", new byte[] {5, 6, 7, 8})
                .build();
        assertProvenOrRefused(Capability.ANY_FIELDS, samples, "data");
    }

    @Test
    default void aContainerIsOneFileOrNone() {
        Workshop shop = workshop();
        Path place = shop.pack(keyed("a/1").build(), "one");
        assertThat(Files.isRegularFile(place)).isEqualTo(shop.isFile());
    }

    /** Many writers can fill at once because the runs share no byte and leave none of the file out of reach. */
    @Test
    default void runsLieSideBySide() {
        Workshop shop = workshop();
        assumeTrue(shop.isFile(), "a folder has no runs side by side");
        Plan plan = shop.format().plan(shop.randomSamples().next(RoundTripContract.MANY), shop.options());
        var runs = new ArrayList<Run>();
        for (int r = 0; r < plan.runs(); r++) {
            runs.add(plan.run(r));
        }
        runs.sort(Comparator.comparingLong(Run::offset));
        long end = 0;
        for (Run run : runs) {
            assertThat(run.offset()).isGreaterThanOrEqualTo(end);
            end = run.offset() + run.length();
        }
        assertThat(end).isLessThanOrEqualTo(plan.length());
        if (shop.format().can(Capability.PARALLEL_FILL)) {
            assertThat(plan.runs()).isGreaterThan(1);
        }
    }

    @Test
    default void anUnknownSettingIsRefused() {
        Workshop shop = workshop();
        var options = new FormatOptions(Map.of(), Map.of("no-such-setting", "1"));
        assertThatThrownBy(() -> shop.format().plan(keyed("a/1").build(), options))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("no-such-setting");
    }

    private void assertProvenOrRefused(Capability ability, MemorySamples samples, String named) {
        Workshop shop = workshop();
        if (!shop.format().can(ability)) {
            assertThatThrownBy(() -> shop.pack(samples, "refused"))
                    .isInstanceOf(StokerException.class)
                    .hasMessageContaining(named);
            assertThat(shop.place("refused")).doesNotExist();
            return;
        }
        try (Container container = shop.open(shop.pack(samples, "proven"))) {
            Same.assertSame(container, samples);
        }
    }

    private static MemorySamples.Builder keyed(String... keys) {
        var samples = MemorySamples.of(
                new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes()));
        for (int i = 0; i < keys.length; i++) {
            samples.add(keys[i], new byte[] {(byte) i, 7});
        }
        return samples;
    }
}
