package dev.stoker.metric;

import java.util.Collection;
import java.util.List;

/**
 * Where the time of some feeds went, in seconds; those of threads are sums over all of them.
 *
 * @param waited the training waited for data, beginning with the second batch
 * @param trained the training did its own work
 * @param threads that read
 * @param allBusy what the threads of all feeds of the process worked, to compare with its processor time
 * @param unpack how long blocks were decompressed, which is part of {@code read}
 * @param cpu the processor time of the whole process
 * @param readCpu that of the threads that read; of all where the system does not tell them apart
 * @param delay threads that read could have run but had no core
 * @param seconds the time that all this was measured in
 */
public record TimeUsage(
        double samples,
        double batches,
        double waited,
        double trained,
        double read,
        double decode,
        double batch,
        double idle,
        double memoryFull,
        double threads,
        double allBusy,
        double unpack,
        double blockHits,
        double blockMisses,
        double cpu,
        double readCpu,
        double delay,
        double seconds,
        double cores) {

    /** What one snapshot says of all feeds of its process. */
    public static TimeUsage of(Snapshot snapshot) {
        return of(snapshot, snapshot.of(MetricSource.FEED));
    }

    /** What one snapshot says of some of the feeds. */
    public static TimeUsage of(Snapshot snapshot, List<MeterSnapshot> feeds) {
        List<MeterSnapshot> process = snapshot.of(MetricSource.PROCESS);
        return new TimeUsage(
                sum(feeds, Metric.FEED_SAMPLES),
                sum(feeds, Metric.FEED_BATCHES),
                sum(feeds, Metric.FEED_WAIT) - sum(feeds, Metric.FEED_START),
                sum(feeds, Metric.FEED_TRAIN),
                sum(feeds, Metric.FEED_READ),
                sum(feeds, Metric.FEED_DECODE),
                sum(feeds, Metric.FEED_BATCH),
                sum(feeds, Metric.FEED_IDLE),
                sum(feeds, Metric.FEED_MEMORY_FULL),
                sum(feeds, Metric.FEED_THREADS),
                busy(snapshot.of(MetricSource.FEED)),
                sum(process, Metric.BLOCK_DECODE),
                sum(process, Metric.BLOCK_HITS),
                sum(process, Metric.BLOCK_MISSES),
                sum(process, Metric.PROCESS_CPU),
                sum(process, sum(process, Metric.PROCESS_READ_CPU) > 0 ? Metric.PROCESS_READ_CPU : Metric.PROCESS_CPU),
                sum(process, Metric.PROCESS_DELAY),
                sum(process, Metric.PROCESS_SECONDS),
                sum(process, Metric.PROCESS_CORES));
    }

    private static double busy(Collection<MeterSnapshot> feeds) {
        return sum(feeds, Metric.FEED_READ) + sum(feeds, Metric.FEED_DECODE) + sum(feeds, Metric.FEED_BATCH);
    }

    private static double sum(Collection<MeterSnapshot> readings, Metric metric) {
        return readings.stream().mapToDouble(each -> each.get(metric)).sum();
    }

    /** The part of its time that the training waited. */
    public double waitShare() {
        return share(waited, waited + trained);
    }

    /** The part of their time that threads had nothing to do. */
    public double idleShare() {
        return share(idle, idle + busy());
    }

    /** What the threads of these feeds worked. */
    double busy() {
        return read + decode + batch;
    }

    /** The part of the cores that this process kept busy. */
    double coreShare() {
        return share(cpu, seconds * cores);
    }

    /** The part of the threads' work in which they had no core though they could have run. */
    double delayShare() {
        return Math.min(1, share(delay, allBusy));
    }

    /** The part of the threads' work in which they neither ran nor could: they waited for storage. */
    double blockedShare() {
        return Math.max(0, 1 - share(readCpu + delay, allBusy));
    }

    static double share(double part, double whole) {
        return whole > 0 ? part / whole : 0;
    }
}
