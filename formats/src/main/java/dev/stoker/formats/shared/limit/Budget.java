package dev.stoker.formats.shared.limit;

import java.util.function.LongSupplier;

/**
 * How much a container may make its reader do, over all of its arrays together: a few bytes can claim very much, and
 * many arrays that each claim a little less than too much would, too. It grows with the container's size, since what
 * really is in a large one takes as much.
 */
public final class Budget {
    private final long constant;
    private final LongSupplier more;
    private long taken;

    /**
     * A budget of which nothing is taken.
     *
     * @param constant what even the smallest container may take
     * @param more what it may take beyond that by its size, as far as that is known when it is asked
     */
    public Budget(long constant, LongSupplier more) {
        this.constant = constant;
        this.more = more;
    }

    /** Takes so much of it; false if that is more than was left. */
    public boolean take(long count) {
        taken = count > Long.MAX_VALUE - taken ? Long.MAX_VALUE : taken + count;
        return taken <= constant || taken - constant <= more.getAsLong();
    }
}
