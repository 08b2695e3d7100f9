package dev.stoker.order;

import dev.stoker.feed.LastBatch;

/**
 * What one rank delivers of what remains of an epoch. The positions that remain (from the cursor on, without those
 * delivered beyond it) are dealt one in turn: the rank's {@code k}-th sample is the remaining position number {@code
 * rank + k * world}. Any world can go on from any cursor.
 */
public final class RankShare {
    private final long size;
    private final long cursor;
    private final RangeSet beyond;
    private final Shard shard;
    private final TailPolicy tail;
    private final long remaining;

    RankShare(long size, long cursor, RangeSet beyond, Shard shard, TailPolicy tail) {
        this.size = size;
        this.cursor = cursor;
        this.beyond = beyond;
        this.shard = shard;
        this.tail = tail;
        this.remaining = size - cursor - (beyond.countBefore(size) - beyond.countBefore(cursor));
    }

    /** How many positions of the epoch remain, over all ranks. */
    public long remaining() {
        return remaining;
    }

    /** How many rounds over the ranks there are, the last of them as the tail says. */
    public long rounds() {
        return tail == TailPolicy.DROP ? remaining / shard.world() : ceilDivide(remaining, shard.world());
    }

    /** How many samples this rank delivers, padding included. */
    public long count() {
        return tail == TailPolicy.RAGGED ? ceilDivide(Math.max(0, remaining - shard.rank()), shard.world()) : rounds();
    }

    /** The position of this rank's {@code k}-th sample; for padding a position at the beginning of the epoch. */
    public long position(long k) {
        return position(shard.rank(), k);
    }

    private long position(int rank, long k) {
        long index = rank + k * shard.world();
        return index < remaining ? beyond.nthOutside(cursor, index) : (index - remaining) % size;
    }

    /** The positions that all ranks deliver in round {@code k}, in the order of the ranks; a ragged round may have fewer. */
    public long[] round(long k) {
        long from = k * shard.world();
        int count = (int) (tail == TailPolicy.RAGGED ? Math.min(shard.world(), remaining - from) : shard.world());
        var positions = new long[count];
        for (int rank = 0; rank < count; rank++) {
            positions[rank] = position(rank, k);
        }
        return positions;
    }

    /** Whether the {@code k}-th sample repeats one of this epoch only to give every rank equally many. */
    public boolean isPadding(long k) {
        return shard.rank() + k * shard.world() >= remaining;
    }

    /**
     * How many positions are this rank's by the deal, whatever the tail: those with {@code k} from the delivered ones
     * up to here are left out at the end of an epoch, by {@link TailPolicy#DROP} or {@link LastBatch#DROP}.
     */
    public long owned() {
        return ceilDivide(Math.max(0, remaining - shard.rank()), shard.world());
    }

    /** The cursor of the job when every rank has delivered {@code k} samples of its share; at the end, the size. */
    public long cursorAfter(long k) {
        return k >= ceilDivide(remaining, shard.world()) ? size : beyond.nthOutside(cursor, k * shard.world());
    }

    private static long ceilDivide(long number, long divisor) {
        return (number + divisor - 1) / divisor;
    }
}
