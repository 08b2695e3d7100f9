package dev.stoker.feed;

import dev.stoker.ledger.Ledger;
import dev.stoker.ledger.Outcome;
import dev.stoker.order.Position;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records in the ledger, if there is one, what a feed delivered: each batch before the consumer has it, or, for a consumer
 * that takes batches before they are wanted, when it says that it hands one on.
 */
final class DeliveryLog implements AutoCloseable {
    /**
     * What became of the samples that a batch was cut from, as a ledger has it.
     *
     * @param closing what the rank leaves out at the end of the epoch, if the batch is its last one
     */
    record BatchOutcome(long epoch, List<SampleOutcome> samples, BatchRange.@Nullable Closing closing) {
        void record(Ledger ledger) {
            ledger.epoch(epoch);
            samples.forEach(sample -> ledger.record(sample.outcome, sample.position));
            if (closing != null) {
                closing.record(ledger);
            }
            ledger.flush();
        }
    }

    record SampleOutcome(Outcome outcome, long position) {}

    /** A batch, or the end of an epoch, that is not recorded yet. */
    private record Entry(
            Consumer<Ledger> what,
            @Nullable Position before,
            @Nullable Position after) {}

    private final @Nullable Ledger ledger;
    private final boolean isDeferred;
    private final Deque<Entry> pending = new ArrayDeque<>();
    /** Where the job stands after the batch that was recorded last, and before it. */
    private Position reached;

    private Position reachedBefore;

    DeliveryLog(@Nullable Ledger ledger, boolean isDeferred, Position start) {
        this.ledger = ledger;
        this.isDeferred = isDeferred;
        this.reached = start;
        this.reachedBefore = start;
    }

    /** A batch is delivered. */
    void delivered(BatchRows rows, Position before, Position after) {
        if (ledger == null) {
            return;
        }
        BatchOutcome outcome = rows.outcome();
        add(new Entry(outcome::record, before, after));
    }

    /** An epoch is over, of which the rank delivers nothing more. */
    void closed(BatchRange.Closing closing) {
        if (ledger == null) {
            return;
        }
        add(new Entry(
                to -> {
                    closing.record(to);
                    to.flush();
                },
                null,
                null));
    }

    private void add(Entry entry) {
        if (isDeferred && (entry.after != null || !pending.isEmpty())) {
            pending.add(entry);
        } else {
            record(entry);
        }
    }

    /**
     * Records the oldest batch that is not recorded yet.
     *
     * @return false if there is none
     */
    boolean handedOn() {
        Entry batch = pending.poll();
        if (batch == null) {
            return false;
        }
        record(batch);
        for (Entry next = pending.peek(); next != null && next.after == null; next = pending.peek()) {
            record(pending.remove());
        }
        return true;
    }

    private void record(Entry entry) {
        if (ledger != null) {
            entry.what.accept(ledger);
        }
        if (entry.before != null && entry.after != null) {
            reachedBefore = entry.before;
            reached = entry.after;
        }
    }

    /** Whether the batch that was recorded last never reached the consumer, which shows by where that stands. */
    boolean isWithdrawn(Position consumer) {
        return ledger != null && consumer.equals(reachedBefore) && !consumer.equals(reached);
    }

    /** Takes the batch that was recorded last back. */
    Position withdraw() {
        if (ledger != null) {
            ledger.withdraw();
        }
        return reachedBefore;
    }

    /** Whether there is a ledger, and everything that was delivered is in it. */
    boolean isComplete() {
        return ledger != null && pending.isEmpty();
    }

    @Override
    public void close() {
        if (ledger != null) {
            ledger.close();
        }
    }
}
