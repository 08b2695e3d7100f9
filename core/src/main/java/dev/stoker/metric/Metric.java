package dev.stoker.metric;

/** All that is counted. A time is counted in nanoseconds and shown in seconds. */
public enum Metric {
    FEED_SAMPLES(Source.FEED, "samples_total", "Samples that were delivered."),
    FEED_BATCHES(Source.FEED, "batches_total", "Batches that were delivered."),
    FEED_BYTES(Source.FEED, "read_bytes_total", "Stored bytes of the values that were read."),
    FEED_BAD(
            Source.FEED,
            "bad_samples_total",
            "Samples that could not be read or decoded, and were left out or replaced."),
    FEED_READ(Source.FEED, "read_seconds_total", "Threads read, decompressed or copied values."),
    FEED_DECODE(Source.FEED, "decode_seconds_total", "Threads decoded and transformed values."),
    FEED_BATCH(Source.FEED, "batch_seconds_total", "Threads planned and finished batches."),
    FEED_IDLE(Source.FEED, "idle_seconds_total", "Threads had nothing to do: the data waited for the training."),
    FEED_WAIT(Source.FEED, "wait_seconds_total", "The training waited for data."),
    FEED_START(Source.FEED, "start_seconds_total", "The part of that before the first batch of a feed."),
    FEED_TRAIN(Source.FEED, "train_seconds_total", "The training had a batch and did its own work."),
    FEED_MEMORY_FULL(Source.FEED, "memory_full_total", "A batch could not be begun because others had all the memory."),
    FEED_THREADS(Source.FEED, "threads", "Threads that read."),
    FEED_AHEAD(Source.FEED, "ahead_batches", "Batches that may be under way or ready at most."),
    FEED_READY(Source.FEED, "ready_batches", "Batches that are ready and wait for the training."),
    FEED_MEMORY(Source.FEED, "memory_bytes", "Memory of the batches."),
    FEED_EPOCH(Source.FEED, "epoch", "The epoch of the batch that was delivered last."),

    PACK_SAMPLES(Source.PACK, "samples", "Samples that are done in this phase."),
    PACK_PLANNED(Source.PACK, "samples_planned", "Samples of this phase in all."),
    PACK_BYTES(Source.PACK, "bytes", "Bytes that are done in this phase."),

    RUN_STAGE(Source.RUN, "stage_seconds_total", "Data were brought to the node."),
    RUN_COMMAND(Source.RUN, "command_seconds_total", "The command ran."),
    RUN_PIECES(Source.RUN, "pieces", "Pieces of the data that are copied."),
    RUN_PLANNED(Source.RUN, "pieces_planned", "Pieces of the data in all."),

    PROCESS_SECONDS(Source.PROCESS, "seconds_total", "Time since the process began to count."),
    PROCESS_CPU(Source.PROCESS, "cpu_seconds_total", "Processor time of all threads."),
    PROCESS_READ_CPU(Source.PROCESS, "read_cpu_seconds_total", "Processor time of the threads that read."),
    PROCESS_DELAY(Source.PROCESS, "run_delay_seconds_total", "Threads that read could have run but had no core."),
    PROCESS_FAULTS(Source.PROCESS, "major_faults_total", "Pages of mapped files that had to come from storage."),
    PROCESS_CORES(Source.PROCESS, "cores", "Cores that the process may use."),
    BLOCK_HITS(Source.PROCESS, "block_cache_hits_total", "Reads that found their compressed block decoded."),
    BLOCK_MISSES(Source.PROCESS, "block_cache_misses_total", "Reads that had to decode their block."),
    BLOCK_DECODE(Source.PROCESS, "block_decode_seconds_total", "Threads decompressed blocks."),
    BLOCK_BYTES(Source.PROCESS, "block_cache_bytes", "Memory of the decoded blocks that are kept."),
    LOST(Source.PROCESS, "metrics_lost_total", "Snapshots that could not be written to a place.");

    private static final double NANOS = 1e-9;

    private final Source source;
    private final String label;
    private final String help;
    private final boolean isCounter;
    private final boolean isTime;

    Metric(Source source, String name, String help) {
        this.source = source;
        this.label = source.label() + "_" + name;
        this.help = help;
        this.isCounter = name.endsWith("_total");
        this.isTime = name.endsWith("seconds_total");
    }

    /** What it is measured of. */
    public Source source() {
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
