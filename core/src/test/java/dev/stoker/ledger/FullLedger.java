package dev.stoker.ledger;

import dev.stoker.StokerException;
import dev.stoker.order.OrderFingerprint;
import dev.stoker.order.Shard;
import java.nio.file.Path;

/** A rank that delivers until its ledger cannot be written, and says how many batches it delivered. */
final class FullLedger {
    static final int BATCHES = 100;
    static final int BATCH = 10;
    static final OrderFingerprint IDENTITY = new OrderFingerprint(7, (long) BATCHES * BATCH, "a dataset", "an order");

    private FullLedger() {}

    public static void main(String[] arguments) {
        int delivered = 0;
        try (Ledger ledger = Ledger.open(Path.of(arguments[0]), IDENTITY, Shard.WHOLE)) {
            ledger.epoch(0);
            for (; delivered < BATCHES; delivered++) {
                record(ledger, delivered);
            }
        } catch (StokerException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(delivered);
    }

    /** Every batch has some runs. */
    static void record(Ledger ledger, int batch) {
        for (int from = 0; from < 3; from++) {
            for (int i = from; i < BATCH; i += 3) {
                ledger.record(Outcome.DELIVERED, (long) batch * BATCH + i);
            }
        }
        ledger.flush();
    }
}
