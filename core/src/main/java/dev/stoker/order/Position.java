package dev.stoker.order;

import dev.stoker.PublicApi;

/**
 * The state of a whole job: every position of the epochs before {@code epoch}, and of this epoch before {@code cursor},
 * is delivered. Any number of ranks with any batch size can go on from here.
 *
 * @param beyond positions after the cursor that are delivered too, because the ranks of a crashed job stood at
 *     different steps. A position of the next epoch counts on from the end of this one: {@code size + p}.
 */
@PublicApi
public record Position(OrderFingerprint identity, long epoch, long cursor, RangeSet beyond) {
    public Position {
        long size = identity.size();
        if (epoch < 0 || cursor < 0 || cursor > size) {
            throw new IllegalArgumentException(
                    "epoch " + epoch + " and cursor " + cursor + " should be at least 0, the cursor at most " + size);
        }
        // One state has one form: the cursor is at a position that is not delivered, and beyond holds what follows it.
        cursor = beyond.nthOutside(cursor, 0);
        epoch += cursor / size;
        beyond = beyond.tail(cursor, cursor % size);
        cursor %= size;
    }

    public static Position start(OrderFingerprint identity) {
        return new Position(identity, 0, 0, RangeSet.EMPTY);
    }

    /** What a rank delivers from here to the end of this epoch. */
    public RankShare share(Shard shard, TailPolicy tail) {
        return new RankShare(identity.size(), cursor, beyond, shard, tail);
    }

    /**
     * The position when every rank has delivered {@code k} samples of its share from here; when the epoch has no round
     * left, the beginning of the next one.
     */
    public Position after(RankShare share, long k) {
        return k >= share.rounds() ? nextEpoch() : new Position(identity, epoch, share.cursorAfter(k), beyond);
    }

    /** The position when this epoch is done, whatever the tail left out of it. */
    public Position nextEpoch() {
        return new Position(identity, epoch, identity.size(), beyond);
    }
}
