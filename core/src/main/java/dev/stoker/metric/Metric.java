package dev.stoker.metric;

/** All that is counted. A time is counted in nanoseconds and shown in seconds. */
public enum Metric {
    FEED_SAMPLES(MetricSource.FEED, "samples_total", "Samples that were delivered."),
    FEED_BATCHES(MetricSource.FEED, "batches_total", "Batches that were delivered."),
    FEED_BYTES(MetricSource.FEED, "read_bytes_total", "Stored bytes of the values that were read."),
    FEED_BAD(
            MetricSource.FEED,
            "bad_samples_total",
            "Samples that could not be read or decoded, and were left out or replaced."),
    FEED_READ(MetricSource.FEED, "read_seconds_total", "Time threads spent reading, decompressing or copying values."),
    FEED_DECODE(MetricSource.FEED, "decode_seconds_total", "Time threads spent decoding and transforming values."),
    FEED_BATCH(MetricSource.FEED, "batch_seconds_total", "Time threads spent planning and finishing batches."),
    FEED_IDLE(MetricSource.FEED, "idle_seconds_total", "Time threads were idle: the data waited for the training."),
    FEED_WAIT(MetricSource.FEED, "wait_seconds_total", "Time the training waited for data."),
    FEED_START(MetricSource.FEED, "start_seconds_total", "Time the training waited for the first batch of a feed."),
    FEED_TRAIN(MetricSource.FEED, "train_seconds_total", "Time the training worked on the batches it had."),
    FEED_MEMORY_FULL(
            MetricSource.FEED, "memory_full_total", "Batches that could not start because others used all the memory."),
    FEED_THREADS(MetricSource.FEED, "threads", "Reader threads."),
    FEED_AHEAD(MetricSource.FEED, "ahead_batches", "Maximum number of batches in progress or ready."),
    FEED_READY(MetricSource.FEED, "ready_batches", "Batches that are ready for the training."),
    FEED_MEMORY(MetricSource.FEED, "memory_bytes", "Memory of the batches."),
    FEED_EPOCH(MetricSource.FEED, "epoch", "Epoch of the last delivered batch."),

    PACK_SAMPLES(MetricSource.PACK, "samples", "Samples finished in this phase."),
    PACK_PLANNED(MetricSource.PACK, "samples_planned", "Total number of samples in this phase."),
    PACK_BYTES(MetricSource.PACK, "bytes", "Bytes finished in this phase."),

    RUN_STAGE(MetricSource.RUN, "stage_seconds_total", "Time spent staging the data."),
    RUN_COMMAND(MetricSource.RUN, "command_seconds_total", "Time the command ran."),
    RUN_PIECES(MetricSource.RUN, "pieces", "Pieces of the data that were copied."),
    RUN_PLANNED(MetricSource.RUN, "pieces_planned", "Total number of pieces of the data."),

    PROCESS_SECONDS(MetricSource.PROCESS, "seconds_total", "Time since the process began to count."),
    PROCESS_CPU(MetricSource.PROCESS, "cpu_seconds_total", "CPU time of all threads."),
    PROCESS_READ_CPU(MetricSource.PROCESS, "read_cpu_seconds_total", "CPU time of the reader threads."),
    PROCESS_DELAY(MetricSource.PROCESS, "run_delay_seconds_total", "Time reader threads waited for a free core."),
    PROCESS_FAULTS(MetricSource.PROCESS, "major_faults_total", "Pages of mapped files that were read from storage."),
    PROCESS_CORES(MetricSource.PROCESS, "cores", "Cores that the process may use."),
    BLOCK_HITS(MetricSource.PROCESS, "block_cache_hits_total", "Reads whose compressed block was already decoded."),
    BLOCK_MISSES(MetricSource.PROCESS, "block_cache_misses_total", "Reads that had to decode their block."),
    BLOCK_DECODE(MetricSource.PROCESS, "block_decode_seconds_total", "Time threads spent decompressing blocks."),
    BLOCK_BYTES(MetricSource.PROCESS, "block_cache_bytes", "Memory of cached decoded blocks."),
    LOST(MetricSource.PROCESS, "metrics_lost_total", "Snapshots that could not be written to a destination.");

    private static final double NANOS = 1e-9;

    private final MetricSource source;
    private final String label;
    private final String help;
    private final boolean isCounter;
    private final boolean isTime;

    Metric(MetricSource source, String name, String help) {
        this.source = source;
        this.label = source.label() + "_" + name;
        this.help = help;
        this.isCounter = name.endsWith("_total");
        this.isTime = name.endsWith("seconds_total");
    }

    /** What it is measured of. */
    public MetricSource source() {
        return source;
    }

    /** Its name, such as {@code feed_samples_total}. */
    public String label() {
        return label;
    }

    /** What it says, in a sentence. */
    public String help() {
        return help;
    }

    /** Whether it only grows; otherwise it is a state. */
    public boolean isCounter() {
        return isCounter;
    }

    /** A count as it is shown. */
    double shown(long count) {
        return isTime ? count * NANOS : count;
    }
}
