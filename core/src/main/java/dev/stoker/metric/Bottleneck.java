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
        CROWDED("cores shared with other processes"),
        STORAGE("storage"),
        COPYING("copying"),
        DECODING("decoding"),
        DECOMPRESSING("decompressing"),
        BATCHING("assembling batches");

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

    /** All of it, as a text of its own. */
    public String sentence() {
        return limit == Limit.UNKNOWN ? evidence : "L" + clause().substring(1);
    }

    /** The same to go on a sentence with, such as "the feed is …". */
    public String clause() {
        return limit == Limit.UNKNOWN
                ? evidence
                : "limited by " + limit.words + ": " + evidence + (limit == Limit.TRAINING ? ". " : ". Try: ") + advice;
    }

    /** Judges. */
    public static Bottleneck of(TimeUsage usage) {
        if (usage.batches() < FEW_BATCHES || usage.waited() + usage.trained() <= 0) {
            return new Bottleneck(Limit.UNKNOWN, "too few batches to tell what limits it", "");
        }
        String waited = waited(usage);
        if (usage.waitShare() <= LITTLE) {
            return new Bottleneck(
                    Limit.TRAINING,
                    waited + ", and the feed's threads were idle " + percent(usage.idleShare()),
                    "A faster feed would not help");
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
                        "raise --memory (memory=), or use smaller batches (--batch, batch_size=)")
                : new Bottleneck(Limit.AHEAD, evidence, "raise --ahead (ahead=)");
    }

    /** The threads work all the time: which work is it, and why are they not faster? */
    private static Bottleneck busiest(TimeUsage usage, String waited) {
        if (usage.delayShare() >= MUCH && usage.coreShare() < NEARLY_ALL) {
            return new Bottleneck(
                    Limit.CROWDED,
                    waited + ", and threads waited for a free core " + percent(usage.delayShare()) + " of the time",
                    "give the job its own cores, or run fewer processes on these " + Math.round(usage.cores()));
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
        if (most == usage.decode()) {
            return busy(
                    Limit.DECODING,
                    usage,
                    most,
                    "pack smaller pictures (pack --resize), scale JPEGs while decoding (--fast-scale, fast_scale=), or"
                            + " use more than " + cores(usage));
        }
        if (most == unpack) {
            return busy(Limit.DECOMPRESSING, usage, most, blockAdvice(usage));
        }
        return most == read
                ? busy(
                        Limit.COPYING,
                        usage,
                        most,
                        "use more cores (storage is fast enough); if the data doesn't fit in memory, try --read direct"
                                + " (read=)")
                : busy(
                        Limit.BATCHING,
                        usage,
                        most,
                        "use larger batches, or deliver only the fields that you need (--fields, fields=)");
    }

    private static Bottleneck busy(Limit limit, TimeUsage usage, double seconds, String advice) {
        String evidence = waited(usage) + ", and " + limit.words + " took "
                + percent(TimeUsage.share(seconds, usage.busy())) + " of the threads' busy time";
        return new Bottleneck(limit, evidence, advice);
    }

    private static String waited(TimeUsage usage) {
        return "the training waited for data " + percent(usage.waitShare()) + " of the time";
    }

    private static String cores(TimeUsage usage) {
        return Math.round(usage.cores()) + (Math.round(usage.cores()) == 1 ? " core" : " cores");
    }

    private static Bottleneck storage(TimeUsage usage, String waited) {
        return new Bottleneck(
                Limit.STORAGE,
                waited + ", and the feed's threads waited for storage " + percent(usage.blockedShare())
                        + " of their time",
                "stage the data on the node (stoker run --data), have more reads in flight (--threads, threads=; now "
                        + Math.round(usage.threads()) + "), or read runs of samples (--order blocks)");
    }

    private static Bottleneck tooFewThreads(TimeUsage usage, String waited) {
        return new Bottleneck(
                Limit.THREADS,
                waited + ", with " + Math.round(usage.threads())
                        + (Math.round(usage.threads()) == 1 ? " thread on " : " threads on ") + cores(usage)
                        + ", of which the process used " + percent(usage.coreShare()),
                "use more threads (--threads, threads=)");
    }

    private static String blockAdvice(TimeUsage usage) {
        double hits = TimeUsage.share(usage.blockHits(), usage.blockHits() + usage.blockMisses());
        return hits < HALF
                ? "read runs of samples (--order blocks), or pack smaller blocks (pack --block), because each block is"
                        + " decoded for few samples"
                : "pack without compression (stoker convert), or use more than " + cores(usage);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f%%", 100 * Math.clamp(share, 0, 1));
    }
}
