package dev.stoker.metric;

import java.util.Locale;

/**
 * What limited some feeds, in words: a pure function of where the time went.
 *
 * @param evidence the figures that say so
 * @param advice which setting to change
 */
public record Bottleneck(Limit limit, String evidence, String advice) {
    /** What a training can be limited by, as far as a feed can tell. */
    public enum Limit {
        UNKNOWN("nothing that could be measured"),
        TRAINING("the training itself"),
        AHEAD("too little read-ahead"),
        MEMORY("the memory for batches"),
        THREADS("too few threads for the cores"),
        CROWDED("cores that others use too"),
        STORAGE("storage"),
        COPYING("copying"),
        DECODING("decoding"),
        DECOMPRESSING("decompressing"),
        BATCHING("putting batches together");

        private final String words;

        Limit(String words) {
            this.words = words;
        }

        /** As a sentence has it. */
        public String words() {
            return words;
        }
    }

    private static final double FEW_BATCHES = 5;
    /** Less is what any loop has: nobody would change a setting for it. */
    private static final double LITTLE = 0.05;

    private static final double HALF = 0.5;
    private static final double MUCH = 0.4;
    private static final double NEARLY_ALL = 0.8;

    /** The whole sentence. */
    public String sentence() {
        return limit == Limit.UNKNOWN ? evidence : "limited by " + limit.words + ": " + evidence + "; " + advice;
    }

    /** Judges. */
    public static Bottleneck of(TimeUsage usage) {
        if (usage.batches() < FEW_BATCHES || usage.waited() + usage.trained() <= 0) {
            return new Bottleneck(Limit.UNKNOWN, "too few batches to tell what limits it", "");
        }
        String waited = "the training waited for data " + percent(usage.waitShare()) + " of the time";
        if (usage.waitShare() <= LITTLE) {
            return new Bottleneck(
                    Limit.TRAINING,
                    waited + " and the feed's threads were idle " + percent(usage.idleShare()),
                    "a faster feed would not help");
        }
        if (usage.idleShare() >= HALF) {
            return notEnoughAhead(usage, waited);
        }
        return busiest(usage, waited);
    }

    private static Bottleneck notEnoughAhead(TimeUsage usage, String waited) {
        String evidence = waited + " though the feed's threads were idle " + percent(usage.idleShare());
        return usage.memoryFull() > 0
                ? new Bottleneck(
                        Limit.MEMORY,
                        evidence,
                        "let batches have more of it (memory), or make them smaller (batch size)")
                : new Bottleneck(Limit.AHEAD, evidence, "read more batches ahead (ahead)");
    }

    /** The threads work all the time: which work is it, and why are they not faster? */
    private static Bottleneck busiest(TimeUsage usage, String waited) {
        if (usage.delayShare() >= MUCH && usage.coreShare() < NEARLY_ALL) {
            return new Bottleneck(
                    Limit.CROWDED,
                    waited + ", and threads that could have run had no core " + percent(usage.delayShare())
                            + " of their time",
                    "give the job cores of its own, or fewer processes on these " + Math.round(usage.cores()));
        }
        double unpack = Math.min(usage.read(), usage.unpack() * TimeUsage.share(usage.busy(), usage.allBusy()));
        double read = usage.read() - unpack;
        double most = Math.max(Math.max(read, unpack), Math.max(usage.decode(), usage.batch()));
        if (most == read && usage.blockedShare() >= HALF) {
            return storage(usage, waited);
        }
        if (usage.threads() < usage.cores() && usage.coreShare() < NEARLY_ALL) {
            return tooFewThreads(usage, waited);
        }
        String spent =
                waited + ", and " + percent(TimeUsage.share(most, usage.busy())) + " of the threads' work was this";
        if (most == usage.decode()) {
            return new Bottleneck(
                    Limit.DECODING,
                    spent,
                    "pack smaller pictures (pack --resize), let JPEGs be scaled while decoded (fast scale), or use more"
                            + " cores than " + Math.round(usage.cores()));
        }
        if (most == unpack) {
            return new Bottleneck(Limit.DECOMPRESSING, spent, blockAdvice(usage));
        }
        return most == read
                ? new Bottleneck(
                        Limit.COPYING,
                        spent,
                        "storage is fast enough: more cores copy faster; for more data than memory holds, try to read direct")
                : new Bottleneck(
                        Limit.BATCHING, spent, "take larger batches, or only the fields that are used (fields)");
    }

    private static Bottleneck storage(TimeUsage usage, String waited) {
        return new Bottleneck(
                Limit.STORAGE,
                waited + ", and the feed's threads waited for storage " + percent(usage.blockedShare())
                        + " of their time",
                "bring the data to the node (stoker run --data), have more reads in flight (threads, now "
                        + Math.round(usage.threads()) + "), or read runs of samples (order blocks)");
    }

    private static Bottleneck tooFewThreads(TimeUsage usage, String waited) {
        return new Bottleneck(
                Limit.THREADS,
                waited + ", with " + Math.round(usage.threads()) + " threads on " + Math.round(usage.cores())
                        + " cores of which the process used " + percent(usage.coreShare()),
                "use more threads (threads)");
    }

    private static String blockAdvice(TimeUsage usage) {
        double hits = TimeUsage.share(usage.blockHits(), usage.blockHits() + usage.blockMisses());
        return hits < HALF
                ? "each block is decoded for few samples: read runs of samples (order blocks), or pack smaller blocks"
                        + " (pack --block)"
                : "pack without compression (stoker convert), or use more cores than " + Math.round(usage.cores());
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * Math.clamp(share, 0, 1));
    }
}
