package dev.stoker.feed;

import dev.stoker.StokerException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How much memory the batches of a feed may have together, and which has how much. Memory stays with a slot, since the
 * next batch needs about as much, until another slot would go without and takes it over. A consumer may keep the memory of
 * a batch: it is lent until it is given back, then spare until a slot needs it. Guarded by the ring's lock.
 */
final class BatchMemory implements AutoCloseable {
    private final BatchSlot[] slots;
    private final long limit;
    /** Bytes of slots, and those that are spare or lent. */
    private long allocated;

    private final List<BatchMemorySource.Piece> spare = new ArrayList<>();
    /** What the consumer keeps, in the order in which it was lent. */
    private final Deque<BatchMemorySource.Piece> lent = new ArrayDeque<>();

    private long lentBytes;

    BatchMemory(BatchSlot[] slots, long limit) {
        this.slots = slots;
        this.limit = limit;
    }

    /** Bytes that the batches have now. */
    long allocated() {
        return allocated;
    }

    /**
     * Gives a planned batch its memory if that is within the limit; one that would not be, even if it were the only one,
     * is refused.
     *
     * @param isOnly whether no other batch is being read or delivered
     * @return whether the batch can go on, to be read or to tell that it is refused
     */
    boolean give(BatchSlot slot, boolean isOnly) {
        long needed = slot.bytes();
        if (needed <= slot.capacity) {
            return true;
        }
        takeSpare(slot, needed);
        if (needed <= slot.capacity) {
            return true;
        }
        if (!fits(slot, needed)) {
            BatchSlot idle = idleWith(needed);
            if (idle != null) {
                slot.swapMemory(idle);
                return true;
            }
            freeIdle(slot);
        }
        while (isOnly && !fits(slot, needed) && !lent.isEmpty()) {
            forfeit(); // otherwise a consumer that keeps everything would wait forever
        }
        if (fits(slot, needed)) {
            grow(slot, Math.min(needed + needed / 8, limit - counted() + slot.capacity));
            return true;
        }
        if (isOnly) {
            slot.refuse(new StokerException("a batch of " + slot.rows().count() + " samples needs " + needed
                    + " bytes but the batches of a feed may have " + limit
                    + " together; use smaller batches, or give them more memory"));
        }
        return isOnly;
    }

    private boolean fits(BatchSlot slot, long needed) {
        return counted() - slot.capacity + needed <= limit;
    }

    /** What counts for the limit: all but what the consumer keeps although it has a later batch. */
    private long counted() {
        return allocated - keptLonger();
    }

    private long keptLonger() {
        return lent.isEmpty() ? 0 : lentBytes - lent.getLast().bytes().byteSize();
    }

    /** Gives a batch what it needs beyond the limit if need be: later batches, which wait for it, may have all of it. */
    void giveAtOnce(BatchSlot slot) {
        if (slot.bytes() > slot.capacity) {
            grow(slot, slot.bytes());
        }
    }

    private void grow(BatchSlot slot, long size) {
        allocated -= slot.capacity;
        slot.allocate(size);
        allocated += slot.capacity;
    }

    /**
     * Lends the memory of a slot to the consumer; null if it has none. What it keeps besides the last two batches, of which it
     * may be passing from one to the other, is at most half of the limit.
     */
    BatchMemorySource.@Nullable Piece lend(BatchSlot slot) {
        BatchMemorySource.Piece piece = slot.detach();
        if (piece != null) {
            lent.addLast(piece);
            lentBytes += piece.bytes().byteSize();
            while (keptLonger() > limit / 2 && lent.size() > 2) {
                forfeit();
            }
        }
        return piece;
    }

    /** Takes back what was lent; what was forfeited meanwhile is the consumer's business. */
    void giveBack(BatchMemorySource.Piece piece) {
        if (lent.remove(piece)) {
            lentBytes -= piece.bytes().byteSize();
            spare.add(piece);
        }
    }

    /** Leaves what has been lent for the longest time to the consumer: it counts here no more, and is never used again. */
    private void forfeit() {
        BatchMemorySource.Piece piece = lent.removeFirst();
        lentBytes -= piece.bytes().byteSize();
        allocated -= piece.bytes().byteSize();
        piece.close();
    }

    /** Gives a slot the spare memory that fits best, or, if none is large enough, with the largest. */
    private void takeSpare(BatchSlot slot, long needed) {
        BatchMemorySource.Piece best = null;
        for (BatchMemorySource.Piece piece : spare) {
            if (best == null || isBetter(piece.bytes().byteSize(), best.bytes().byteSize(), needed)) {
                best = piece;
            }
        }
        if (best != null && best.bytes().byteSize() > slot.capacity) {
            spare.remove(best);
            BatchMemorySource.Piece old = slot.detach();
            if (old != null) {
                spare.add(old);
            }
            slot.attach(best);
        }
    }

    private static boolean isBetter(long size, long best, long needed) {
        return best < needed ? size > best : size >= needed && size < best;
    }

    /**
     * The idle slot whose memory fits best; null if none is large enough. Memory that was used before is worth much: the
     * system clears what it gives anew, page by page, which takes several times as long as filling it.
     */
    private @Nullable BatchSlot idleWith(long needed) {
        BatchSlot best = null;
        for (BatchSlot slot : slots) {
            if (isIdle(slot) && slot.capacity >= needed && (best == null || slot.capacity < best.capacity)) {
                best = slot;
            }
        }
        return best;
    }

    private void freeIdle(BatchSlot except) {
        for (BatchSlot slot : slots) {
            if (slot != except && isIdle(slot)) {
                allocated -= slot.capacity;
                slot.free();
            }
        }
        for (BatchMemorySource.Piece piece : spare) {
            allocated -= piece.bytes().byteSize();
            piece.close();
        }
        spare.clear();
    }

    private static boolean isIdle(BatchSlot slot) {
        return slot.state == BatchSlot.State.FREE
                || slot.state == BatchSlot.State.CUT
                || slot.state == BatchSlot.State.PLANNING
                || slot.state == BatchSlot.State.PLANNED;
    }

    /** Gives back the memory of all slots, and what is spare or lent. */
    @Override
    public void close() {
        for (BatchSlot slot : slots) {
            slot.close();
        }
        spare.forEach(BatchMemorySource.Piece::close);
        spare.clear();
        lent.forEach(BatchMemorySource.Piece::close);
        lent.clear();
    }
}
