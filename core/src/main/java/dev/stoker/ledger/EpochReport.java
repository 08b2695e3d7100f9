package dev.stoker.ledger;

import dev.stoker.PublicApi;
import dev.stoker.order.RangeSet;

/**
 * What the ledgers say of one epoch.
 *
 * @param size the number of positions
 * @param delivered how many deliveries there were, doubled ones included
 * @param padded how many deliveries only repeated a sample, to give every rank equally many
 * @param dropped how many positions were left out on purpose
 * @param bad how many positions were left out because their sample cannot be read
 * @param missing how many positions nobody accounts for
 * @param doubled how many positions are accounted for more than once
 * @param firstMissing the positions that are missing, up to {@link LedgerCheck#MAX_LISTED} ranges of them
 * @param firstDoubled the positions that are doubled, up to as many ranges
 */
@PublicApi
public record EpochReport(
        long epoch,
        long size,
        long delivered,
        long padded,
        long dropped,
        long bad,
        long missing,
        long doubled,
        RangeSet firstMissing,
        RangeSet firstDoubled) {
    /** Every position of the epoch is accounted for exactly once. */
    public boolean isExactlyOnce() {
        return missing == 0 && doubled == 0;
    }

    /** Nothing is doubled, and what is missing is only the end: a job that was stopped, or still runs, in step. */
    public boolean isExactlyOnceSoFar() {
        return doubled == 0 && (missing == 0 || (firstMissing.rangeCount() == 1 && firstMissing.to(0) == size));
    }
}
