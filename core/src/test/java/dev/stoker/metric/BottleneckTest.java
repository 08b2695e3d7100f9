package dev.stoker.metric;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.metric.Bottleneck.Limit;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BottleneckTest {
    private final Map<Metric, Double> feed = new EnumMap<>(Metric.class);
    private final Map<Metric, Double> process = new EnumMap<>(Metric.class);

    /** A hundred seconds of 4 threads on 4 cores, in which the training waited half of the time. */
    BottleneckTest() {
        feed.put(Metric.FEED_BATCHES, 1000.0);
        feed.put(Metric.FEED_WAIT, 52.0);
        feed.put(Metric.FEED_START, 2.0);
        feed.put(Metric.FEED_TRAIN, 50.0);
        feed.put(Metric.FEED_READ, 380.0);
        feed.put(Metric.FEED_DECODE, 0.0);
        feed.put(Metric.FEED_BATCH, 2.0);
        feed.put(Metric.FEED_IDLE, 10.0);
        feed.put(Metric.FEED_THREADS, 4.0);
        process.put(Metric.PROCESS_SECONDS, 100.0);
        process.put(Metric.PROCESS_CORES, 4.0);
        process.put(Metric.PROCESS_CPU, 380.0);
    }

    private Bottleneck judge() {
        var readings = List.of(
                new MeterSnapshot(MetricSource.FEED, Map.of(), "", feed),
                new MeterSnapshot(MetricSource.PROCESS, Map.of(), "", process));
        return Bottleneck.of(TimeUsage.of(new Snapshot(0, 1, "feed", "", readings)));
    }

    @Test
    void copying() {
        assertThat(judge().sentence())
                .isEqualTo(
                        "Limited by copying: the training waited for data 50% of the time, and copying took 99% of the"
                                + " threads' busy time. Try: use more cores (storage is fast enough); if the data doesn't fit in"
                                + " memory, try --read direct (read=)");
    }

    @Test
    void storage() {
        process.put(Metric.PROCESS_CPU, 40.0);
        assertThat(judge().sentence())
                .isEqualTo("Limited by storage: the training waited for data 50% of the time, and the feed's threads"
                        + " waited for storage 90% of their time. Try: stage the data on the node (stoker run --data),"
                        + " have more reads in flight (--threads, threads=; now 4), or read runs of samples"
                        + " (--order blocks)");
    }

    @Test
    void onlyTheThreadsThatReadTellOfStorage() {
        process.put(Metric.PROCESS_READ_CPU, 40.0);
        assertThat(judge().limit())
                .as("what compiles uses cores too, and threads wait all the same")
                .isEqualTo(Limit.STORAGE);
    }

    @Test
    void training() {
        feed.put(Metric.FEED_WAIT, 3.0);
        feed.put(Metric.FEED_TRAIN, 97.0);
        feed.put(Metric.FEED_READ, 40.0);
        feed.put(Metric.FEED_IDLE, 358.0);
        assertThat(judge().sentence())
                .isEqualTo("Limited by the training itself: the training waited for data 1% of the time, and the feed's"
                        + " threads were idle 90%. A faster feed would not help");
    }

    @Test
    void tooLittleReadAhead() {
        feed.put(Metric.FEED_READ, 40.0);
        feed.put(Metric.FEED_IDLE, 358.0);
        assertThat(judge().limit()).isEqualTo(Limit.AHEAD);
        assertThat(judge().sentence()).endsWith("idle 90%. Try: raise --ahead (ahead=)");
        feed.put(Metric.FEED_MEMORY_FULL, 7.0);
        assertThat(judge().limit()).isEqualTo(Limit.MEMORY);
        assertThat(judge().advice()).startsWith("raise --memory (memory=)");
    }

    @Test
    void decoding() {
        feed.put(Metric.FEED_READ, 30.0);
        feed.put(Metric.FEED_DECODE, 350.0);
        assertThat(judge().limit()).isEqualTo(Limit.DECODING);
        assertThat(judge().advice()).contains("pack --resize", "more than 4 cores");
    }

    @Test
    void tooFewThreads() {
        feed.put(Metric.FEED_READ, 5.0);
        feed.put(Metric.FEED_DECODE, 94.0);
        feed.put(Metric.FEED_IDLE, 0.0);
        feed.put(Metric.FEED_THREADS, 1.0);
        process.put(Metric.PROCESS_CPU, 99.0);
        assertThat(judge().sentence())
                .isEqualTo(
                        "Limited by too few threads for the cores: the training waited for data 50% of the time, with 1"
                                + " thread on 4 cores, of which the process used 25%. Try: use more threads (--threads,"
                                + " threads=)");
    }

    @Test
    void coresThatOthersUse() {
        process.put(Metric.PROCESS_CPU, 150.0);
        process.put(Metric.PROCESS_DELAY, 230.0);
        assertThat(judge().limit()).isEqualTo(Limit.CROWDED);
        assertThat(judge().evidence()).contains("threads waited for a free core 60% of the time");
        process.put(Metric.PROCESS_CPU, 380.0);
        assertThat(judge().limit())
                .as("more threads of its own than cores is not others' doing")
                .isEqualTo(Limit.COPYING);
    }

    @Test
    void decompressing() {
        process.put(Metric.BLOCK_DECODE, 300.0);
        process.put(Metric.BLOCK_HITS, 10.0);
        process.put(Metric.BLOCK_MISSES, 90.0);
        assertThat(judge().limit()).isEqualTo(Limit.DECOMPRESSING);
        assertThat(judge().advice()).contains("--order blocks");
        process.put(Metric.BLOCK_HITS, 910.0);
        assertThat(judge().advice()).contains("without compression");
    }

    @Test
    void batching() {
        feed.put(Metric.FEED_READ, 30.0);
        feed.put(Metric.FEED_BATCH, 350.0);
        assertThat(judge().limit()).isEqualTo(Limit.BATCHING);
    }

    @Test
    void tooShortToTell() {
        feed.put(Metric.FEED_BATCHES, 4.0);
        assertThat(judge().sentence()).isEqualTo("too few batches to tell what limits it");
        feed.clear();
        process.clear();
        assertThat(judge().limit()).isEqualTo(Limit.UNKNOWN);
    }

    @Test
    void waitingForTheFirstBatchIsNobodysFault() {
        feed.put(Metric.FEED_WAIT, 61.0);
        feed.put(Metric.FEED_START, 60.0);
        feed.put(Metric.FEED_IDLE, 300.0);
        assertThat(judge().limit()).isEqualTo(Limit.TRAINING);
    }
}
