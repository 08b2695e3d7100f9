package dev.stoker.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.TestSeed;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RunPlannerTest {
    private static final long RUN_BYTES = 4 << 20;

    @Test
    void noSamplesMakeNoRuns() {
        assertThat(new RunPlanner(17).finish()).isEmpty();
    }

    @Test
    void aSampleIsNeverCut() {
        var cutter = new RunPlanner(100);
        cutter.sample(100 + 5 * RUN_BYTES);
        cutter.sample(100 + 5 * RUN_BYTES + 1);
        assertThat(cutter.finish())
                .containsExactly(new Run(0, 1, 100, 5 * RUN_BYTES), new Run(1, 2, 100 + 5 * RUN_BYTES, 1));
    }

    @Test
    void samplesOfNoBytesMakeRunsToo() {
        var cutter = new RunPlanner(8);
        for (int i = 0; i < 513; i++) {
            cutter.sample(8);
        }
        assertThat(cutter.finish()).containsExactly(new Run(0, 512, 8, 0), new Run(512, 513, 8, 0));
    }

    @Test
    void runsFollowEachOtherWithoutGaps() {
        RandomGenerator random = TestSeed.random("RunCutterTest");
        var cutter = new RunPlanner(64);
        long samples = 3_000;
        long end = 64;
        for (long i = 0; i < samples; i++) {
            end += random.nextInt(4) == 0 ? 0 : random.nextLong(100_000);
            assertThat(cutter.position()).isLessThanOrEqualTo(end);
            cutter.sample(end);
        }
        List<Run> runs = cutter.finish();
        long first = 0;
        long offset = 64;
        for (Run run : runs) {
            assertThat(run.first()).isEqualTo(first);
            assertThat(run.offset()).isEqualTo(offset);
            assertThat(run.samples()).isBetween(1L, 512L);
            first = run.end();
            offset = run.offset() + run.length();
        }
        assertThat(first).isEqualTo(samples);
        assertThat(offset).isEqualTo(end);
        assertThat(runs).hasSizeGreaterThan(5);
    }
}
