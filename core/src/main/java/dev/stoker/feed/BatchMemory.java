package dev.stoker.feed;

import dev.stoker.StokerException;
import org.jspecify.annotations.Nullable;

/**
 * How much memory the batches of a feed may have together, and which has how much. Memory stays with a slot, since the
 * next batch needs about as much, until another slot would go without and takes it over. Guarded by the ring's lock.
 */
final class BatchMemory {
    private final BatchSlot[] slots;
    private final long limit;
    private long allocated;

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
        if (allocated - slot.capacity + needed > limit) {
            BatchSlot idle = idleWith(needed);
            if (idle != null) {
                slot.swapMemory(idle);
                return true;
            }
            freeIdle(slot);
        }
        long others = allocated - slot.capacity;
        if (others + needed <= limit) {
            grow(slot, Math.min(needed + needed / 8, limit - others));
            return true;
        }
        if (isOnly) {
            slot.refuse(new StokerException("a batch of " + slot.rows().count() + " samples needs " + needed
                    + " bytes but the batches of a feed may have " + limit
                    + " together; use smaller batches, or give them more memory"));
        }
        return isOnly;
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
    }

    private static boolean isIdle(BatchSlot slot) {
        return slot.state == BatchSlot.State.FREE
                || slot.state == BatchSlot.State.CUT
                || slot.state == BatchSlot.State.PLANNING
                || slot.state == BatchSlot.State.PLANNED;
    }
}
