package dev.stoker.feed;

/** How long the consumer waited for each batch: counts in steps of about 9%. Used by one thread. */
final class WaitHistogram {
    private static final int STEPS_PER_DOUBLING = 8;

    private final long[] counts = new long[Long.SIZE * STEPS_PER_DOUBLING];
    private long count;
    private long totalNanos;

    void add(long nanos) {
        counts[bucket(nanos)]++;
        count++;
        totalNanos += nanos;
    }

    long totalNanos() {
        return totalNanos;
    }

    /** The wait that a part of all waits was not longer than, in nanoseconds. */
    double quantile(double part) {
        long rank = (long) Math.ceil(part * count);
        long seen = 0;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            seen += counts[bucket];
            if (seen >= rank && seen > 0) {
                return Math.pow(2, (bucket + 0.5) / STEPS_PER_DOUBLING);
            }
        }
        return 0;
    }

    private static int bucket(long nanos) {
        return (int) (Math.log(Math.max(1, nanos)) / Math.log(2) * STEPS_PER_DOUBLING);
    }
}
