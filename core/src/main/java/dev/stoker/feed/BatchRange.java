package dev.stoker.feed;

import dev.stoker.ledger.Ledger;
import dev.stoker.ledger.Outcome;
import dev.stoker.order.Position;
import dev.stoker.order.RankShare;
import dev.stoker.order.SampleView;
import java.util.List;

/**
 * The part of a rank's share that makes one batch: its samples {@code from} to before {@code to}.
 *
 * @param start the position that the share counts from
 * @param places what stands at the positions of the epoch
 * @param closesEpoch no batch of the epoch follows
 * @param emptyEpochs epochs before this one of which the rank delivers nothing at all
 */
record BatchRange(
        Position start,
        RankShare share,
        SampleView.Places places,
        long from,
        long to,
        boolean closesEpoch,
        ReadMode mode,
        List<Closing> emptyEpochs) {
    /** The end of an epoch: what the rank owns from {@code from} on is left out. */
    record Closing(long epoch, RankShare share, long from) {
        void record(Ledger ledger) {
            ledger.epoch(epoch);
            for (long k = from; k < share.owned(); k++) {
                ledger.record(Outcome.DROPPED, share.position(k));
            }
        }
    }

    int count() {
        return Math.toIntExact(to - from);
    }

    long epoch() {
        return start.epoch();
    }

    /** The position of the job when every rank has delivered this batch. */
    Position after() {
        return closesEpoch ? start.nextEpoch() : start.after(share, to);
    }
}
