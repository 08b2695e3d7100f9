package dev.stoker.feed;

import dev.stoker.metric.Measurable;
import dev.stoker.metric.Metric;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a feed counts while it works. Its threads add the time of a piece or a batch at once, never of a sample alone,
 * so that counting costs next to nothing and is always on. What is going on at the moment of asking counts too: a
 * training step of a minute does not look like none.
 */
final class FeedCounters implements Measurable {
    final LongAdder readNanos = new LongAdder();
    final LongAdder decodeNanos = new LongAdder();
    final LongAdder batchNanos = new LongAdder();
    final LongAdder bytes = new LongAdder();

    private final BatchRing ring;
    private final BadSamples bad;
    private final WaitHistogram waits = new WaitHistogram();

    // The consumer's, guarded by this: it is taken twice for each batch.
    private boolean isWaiting;
    private long since = System.nanoTime();
    private long trainNanos;
    private long startNanos;
    private long samples;
    private long batches;
    private long epoch;

    FeedCounters(BatchRing ring, BadSamples bad) {
        this.ring = ring;
        this.bad = bad;
    }

    /** The consumer asks for a batch. */
    synchronized void beginWait() {
        long now = System.nanoTime();
        if (batches > 0) {
            trainNanos += now - since; // before the first batch nobody trains
        }
        since = now;
        isWaiting = true;
    }

    /** The consumer has a batch, or learns that there is none. */
    synchronized void endWait() {
        long now = System.nanoTime();
        waits.add(now - since);
        if (batches == 0) {
            startNanos += now - since;
        }
        since = now;
        isWaiting = false;
    }

    /** A batch is handed over. */
    synchronized void delivered(int count, long ofEpoch) {
        samples += count;
        batches++;
        epoch = ofEpoch;
    }

    synchronized long samples() {
        return samples;
    }

    synchronized long batches() {
        return batches;
    }

    /** The wait that a part of all waits was not longer than. */
    synchronized double waitMillis(double part) {
        return waits.quantile(part) / 1e6;
    }

    @Override
    public long now(Metric metric) {
        return switch (metric) {
            case FEED_BYTES -> bytes.sum();
            case FEED_BAD -> bad.count();
            case FEED_READ -> readNanos.sum();
            case FEED_DECODE -> decodeNanos.sum();
            case FEED_BATCH -> batchNanos.sum();
            case FEED_IDLE -> ring.idleNanos();
            case FEED_MEMORY_FULL -> ring.memoryFull();
            case FEED_THREADS -> ring.activeThreads();
            case FEED_AHEAD -> ring.slots().length - 1;
            case FEED_READY -> ring.ready();
            case FEED_MEMORY -> ring.allocated();
            default -> ofConsumer(metric);
        };
    }

    private synchronized long ofConsumer(Metric metric) {
        long running = System.nanoTime() - since;
        return switch (metric) {
            case FEED_SAMPLES -> samples;
            case FEED_BATCHES -> batches;
            case FEED_EPOCH -> epoch;
            case FEED_WAIT -> waits.totalNanos() + (isWaiting ? running : 0);
            case FEED_START -> startNanos + (isWaiting && batches == 0 ? running : 0);
            case FEED_TRAIN -> trainNanos + (isWaiting || batches == 0 ? 0 : running);
            default -> 0;
        };
    }
}
