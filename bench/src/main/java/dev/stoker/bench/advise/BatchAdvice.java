package dev.stoker.bench.advise;

import dev.stoker.bench.Figures;
import dev.stoker.bench.advise.Advice.Point;
import dev.stoker.feed.FeedBuilder;
import dev.stoker.text.Sizes;

/**
 * How many samples make a batch: the largest power of two that fits.
 *
 * @param feedBytes what the feed needs for all batches in flight; 0 if its own limit is enough
 */
record BatchAdvice(int batch, int ahead, long feedBytes, Point point) {
    /** Larger batches are read no faster. */
    private static final int LARGEST = 1024;
    /** Nor are these, of most samples; a batch this large is common, and often still in the processor's cache. */
    private static final int USUAL = 256;
    /** What a feed keeps at least: the batch that is used, and two ahead. */
    private static final int IN_TURN = 3;
    /** A picture as networks take it: 224 x 224 pixels of three bytes. */
    private static final long DECODED_PICTURE = 3 * 224 * 224;

    static BatchAdvice of(DataSurvey seen, AdviseRequest request, int threads) {
        long sample = request.sampleBytes() > 0 ? request.sampleBytes() : sampleBytes(seen);
        long memory = request.memoryBytes() > 0 ? request.memoryBytes() : FeedBuilder.MEMORY / IN_TURN;
        long fitting = memory / sample;
        int largest = request.memoryBytes() > 0 ? LARGEST : USUAL;
        int batch = (int) Long.highestOneBit(Math.clamp(fitting, 1, Math.min(largest, seen.samples())));
        int ahead = FeedBuilder.defaultAhead(threads, batch);
        // The feed holds the samples as they are stored, whatever the program makes of them.
        double stored = batch * Math.max(seen.sizes().mean(), seen.sizes().p99() / 2.0);
        long feedBytes = IN_TURN * stored > FeedBuilder.MEMORY ? (long) (IN_TURN * stored) : 0;
        return new BatchAdvice(
                batch, ahead, feedBytes, point(request, seen, sample, memory, fitting, largest, batch, ahead));
    }

    private static long sampleBytes(DataSurvey seen) {
        long stored = Math.max(1, seen.sizes().p99());
        return seen.pictures() == null ? stored : Math.max(stored, DECODED_PICTURE);
    }

    private static Point point(
            AdviseRequest request,
            DataSurvey seen,
            long sample,
            long memory,
            long fitting,
            int largest,
            int batch,
            int ahead) {
        String of = request.sampleBytes() > 0
                ? " (as you gave)"
                : sample > seen.sizes().p99() ? " (decoded to 224 x 224)" : " (99% are no larger)";
        String limit = request.memoryBytes() > 0
                ? " in the " + Sizes.human(memory) + " you gave"
                : " in a third of the feed's " + Sizes.human(FeedBuilder.MEMORY);
        String fits = fitting < 1
                ? "a single sample of " + Sizes.human(sample) + of + " does not fit" + limit + "; using a batch of 1"
                : Figures.count(fitting) + " of " + Sizes.human(sample) + of + " fit" + limit;
        return new Point(
                "batch",
                batch + (batch == 1 ? " sample" : " samples") + ", up to " + ahead + " batches ahead",
                fits + (fitting > largest && batch == largest ? "; larger batches aren't faster" : ""));
    }
}
