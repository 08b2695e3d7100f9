package dev.stoker.feed;

import dev.stoker.ledger.Ledger;
import dev.stoker.ledger.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of the samples that a batch was cut from, as a ledger has it.
 *
 * @param closing what the rank leaves out at the end of the epoch, if the batch is its last one
 */
record BatchOutcome(long epoch, List<Of> samples, BatchRange.@Nullable Closing closing) {
    record Of(Outcome outcome, long position) {}

    void record(Ledger ledger) {
        ledger.epoch(epoch);
        samples.forEach(sample -> ledger.record(sample.outcome, sample.position));
        if (closing != null) {
            closing.record(ledger);
        }
        ledger.flush();
    }
}
