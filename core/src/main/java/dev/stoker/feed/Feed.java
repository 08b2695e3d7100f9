package dev.stoker.feed;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.dataset.Dataset;
import dev.stoker.metric.Meter;
import dev.stoker.metric.Metric;
import dev.stoker.order.Position;
import dev.stoker.order.PositionFile;
import dev.stoker.sample.Schema;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Delivers the batches of one rank, one after another. Threads of its own read ahead; the consumer is one thread. What
 * is delivered, and in which batch, does not depend on the number of threads.
 *
 * <pre>{@code
 * try (Dataset data = Dataset.open("train-{0000..0146}.tar");
 *         Feed feed = Feed.of(data).batch(64).shuffle(7).shard(rank, world).start()) {
 *     for (Batch batch : feed) { ... }
 * }
 * }</pre>
 *
 * <p>{@link #next} waits for a batch; {@link #hasNext} never does. A failure is thrown by the call that should have
 * returned the batch it belongs to, after all batches before it.
 */
@PublicApi
public final class Feed implements Iterable<Batch>, AutoCloseable {
    private final Schema schema;
    private final FeedContext job;
    private final BatchPlanner cuts;
    private final BatchRing ring;
    private final DeliveryLog log;
    private final Position start;
    private final FeedCounters counters;
    private final @Nullable Meter meter;
    private final long startNanos = System.nanoTime();
    private Position position;
    /** The epoch that the next batch is of, unless this rank has none left in it. */
    private long epoch;

    private @Nullable Batch current;
    /** Whether a batch could not be delivered; then no epoch ends here. */
    private boolean hasFailed;

    Feed(
            Schema schema,
            FeedContext job,
            BatchPlanner cuts,
            BatchRing ring,
            DeliveryLog log,
            Position start,
            FeedCounters counters,
            @Nullable Meter meter) {
        this.schema = schema;
        this.job = job;
        this.cuts = cuts;
        this.ring = ring;
        this.log = log;
        this.start = start;
        this.position = start;
        this.epoch = start.epoch();
        this.counters = counters;
        this.meter = meter;
        if (meter != null) {
            meter.attach(counters);
        }
    }

    /** A feed of a whole dataset, to be described further and started. */
    public static FeedBuilder of(Dataset dataset) {
        return FeedBuilder.of(dataset);
    }

    /** The batches that follow; a feed goes through its batches once. */
    @Override
    public Iterator<Batch> iterator() {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return Feed.this.hasNext();
            }

            @Override
            public Batch next() {
                return Feed.this.next();
            }
        };
    }

    /** Whether a batch follows; never waits for one. */
    public boolean hasNext() {
        return ring.hasNext();
    }

    /**
     * The next batch; the one before is no longer valid. What it holds counts as delivered: the ledger, if there is
     * one, has it already. The last one of an epoch comes only if the files still are what they were.
     *
     * <p>A feed that failed delivers nothing more: every further call throws the same failure, and {@link #position} stays
     * where the last delivered batch left it.
     */
    public Batch next() {
        invalidate();
        BatchSlot slot = await();
        if (slot == null) {
            throw new NoSuchElementException();
        }
        try {
            while (epoch < slot.cut.epoch()) {
                endEpoch(slot.cut);
            }
            return deliver(slot);
        } catch (RuntimeException | Error e) {
            fail(e);
            throw e;
        }
    }

    private void fail(Throwable failure) {
        hasFailed = true;
        ring.fail(failure);
    }

    /**
     * Ends an epoch of which this rank has nothing to deliver any more, if the next batch is of a later one; the ledger, if
     * there is one, has what was left out. {@link #next} does the same by itself. Never waits.
     *
     * @return the epoch, or -1 if there is none
     */
    public long endEmptyEpoch() {
        BatchRange next = ring.peek();
        if (next == null || next.epoch() == epoch) {
            return -1;
        }
        try {
            endEpoch(next);
        } catch (RuntimeException | Error e) {
            fail(e);
            throw e;
        }
        return epoch - 1;
    }

    private void endEpoch(BatchRange next) {
        for (BatchRange.Closing closing : next.emptyEpochs()) {
            if (closing.epoch() == epoch) {
                log.closed(closing);
            }
        }
        if (position.epoch() == epoch) {
            position = position.nextEpoch();
        }
        epoch++;
    }

    private Batch deliver(BatchSlot slot) {
        RuntimeException failure = slot.failure();
        if (failure != null) {
            throw failure;
        }
        BatchRange cut = slot.cut;
        if (cut.closesEpoch() || !ring.hasNext()) {
            job.requireUnchanged();
        }
        Position after = cut.after();
        log.delivered(slot.rows(), position, after);
        position = after;
        epoch = cut.closesEpoch() ? cut.epoch() + 1 : cut.epoch();
        counters.delivered(slot.rows().count(), cut.epoch());
        Batch batch = new Batch(schema, slot);
        current = batch;
        return batch;
    }

    /**
     * Keeps the memory of the batch that was delivered last: it holds that batch until it is {@linkplain #giveBack given
     * back}, or for good if the feed runs short of memory or is closed, which closes it. The batch itself is no longer
     * valid. Null if the batch has no bytes.
     */
    public BatchMemorySource.@Nullable Piece keep() {
        invalidate();
        return ring.keep();
    }

    /** Lets the feed use again what {@link #keep} gave. */
    public void giveBack(BatchMemorySource.Piece kept) {
        ring.giveBack(kept);
    }

    /**
     * Records in the ledger the oldest batch that it lacks, where {@link FeedBuilder#deferLedger that is left to the
     * consumer}.
     */
    public void handedOn() {
        try {
            if (!log.handedOn()) {
                throw new StokerException("the ledger already has every delivered batch");
            }
        } catch (RuntimeException | Error e) {
            fail(e);
            throw e;
        }
    }

    private @Nullable BatchSlot await() {
        var event = new WaitEvent();
        event.begin();
        counters.beginWait();
        try {
            BatchSlot slot = ring.next();
            event.end();
            if (event.shouldCommit()) {
                event.samples = slot == null ? 0 : slot.rows().count();
                event.commit();
            }
            return slot;
        } finally {
            counters.endWait();
        }
    }

    private void invalidate() {
        if (current != null) {
            current.invalidate();
            current = null;
        }
    }

    /** The fields of the batches. */
    public Schema schema() {
        return schema;
    }

    /**
     * The state of the job when all ranks have delivered as much as this one. Saved by {@link PositionFile}, it is where
     * any number of ranks go on.
     */
    public Position position() {
        Position reached = position;
        for (int i = 0; i < emptyEpochsAtEnd().size(); i++) {
            reached = reached.nextEpoch();
        }
        return reached;
    }

    /**
     * Takes the last batch back from the ledger if the consumer never got it, which shows by where it stands; the feed
     * delivers nothing afterwards. A batch that was lost on its way is not delivered by being written down.
     */
    public void withdraw(Position reached) {
        if (log.isWithdrawn(reached)) {
            fail(new StokerException(
                    "the last batch was withdrawn, so none follows it; restart from the consumer's position"));
            position = log.withdraw();
        }
    }

    /** Epochs after the last batch of which this rank delivers nothing; none while batches remain, or after a failure. */
    private List<BatchRange.Closing> emptyEpochsAtEnd() {
        return hasFailed || ring.hasNext() ? List.of() : cuts.lastEmptyEpochs();
    }

    /** Whether a sample was left out or replaced. */
    public boolean hasBadSamples() {
        return job.bad().count() > 0;
    }

    /** The samples that were left out or replaced so far; empty when bad samples make the feed fail. */
    public List<BadSample> badSamples() {
        return job.bad().list();
    }

    public FeedMetrics metrics() {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        return new FeedMetrics(
                counters.samples(),
                counters.batches(),
                seconds,
                counters.waitMillis(0.5),
                counters.waitMillis(0.95),
                counters.now(Metric.FEED_WAIT) / 1e9 / seconds,
                ring.allocated());
    }

    /**
     * How many samples per second go into the same memory when as many threads only copy: what this feed could do at
     * most; 0 where that cannot be measured: loose files, more files than may be open. To be called at the end of the
     * feed; the feed delivers nothing afterwards.
     */
    public double limitSamplesPerSecond() {
        invalidate();
        ring.stop();
        return BareCopy.samplesPerSecond(job, ring.slots(), cuts.again(start));
    }

    /** Ends the threads and gives back the memory of all batches. */
    @Override
    public void close() {
        invalidate();
        if (meter != null) {
            meter.detach(counters);
        }
        ring.close();
        if (log.isComplete()) {
            emptyEpochsAtEnd().forEach(log::closed);
        }
        log.close();
    }
}
