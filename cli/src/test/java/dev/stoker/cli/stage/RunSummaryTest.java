package dev.stoker.cli.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.metric.Bottleneck;
import org.junit.jupiter.api.Test;

class RunSummaryTest {
    @Test
    void whatARunSays() {
        var decoding = new Bottleneck(Bottleneck.Limit.DECODING, "E", "A");
        assertThat(new RunSummary(2, 98, 150, 4, null).sentence())
                .isEqualTo("staging took 2.00 s; the command ran 1:38 min and kept 1.5 of 4 cores busy");
        assertThat(new RunSummary(2, 98, 150, 4, decoding).sentence())
                .endsWith("cores busy; its loader was limited by decoding: E. Try: A");
        assertThat(new RunSummary(60, 40, 80, 4, decoding).sentence())
                .endsWith("cores busy; 60% of the time went into staging: --keep reuses the copy in the next run, --via"
                        + " mount copies nothing");
        assertThat(new RunSummary(1, 3, 3, 4, null).isWorthSaying()).isFalse();
        assertThat(new RunSummary(1, 4, 3, 4, null).isWorthSaying()).isTrue();
    }
}
