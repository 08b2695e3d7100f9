package dev.stoker.ledger;

import dev.stoker.fuzz.Sandbox;
import dev.stoker.fuzz.Target;
import dev.stoker.order.OrderFingerprint;
import dev.stoker.order.Shard;
import dev.stoker.testkit.Workshop;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;

/** A ledger is read from its beginning to its end. */
public final class LedgerTarget implements Target {
    private final Path file = Sandbox.make("ledger").resolve(FILE + ".ledger");

    @Override
    public String name() {
        return "ledger";
    }

    @Override
    public void read(byte[] input) {
        Workshop.write(file, input);
        LedgerReader.read(file, new LedgerReader.Visitor() {});
    }

    @Override
    public List<byte[]> made() {
        Path written = Sandbox.make("ledger").resolve("written");
        var identity = new OrderFingerprint(7, 1000, "fingerprint of a dataset", "shuffled");
        try (var ledger = Ledger.open(written, identity, new Shard(1, 4))) {
            ledger.epoch(0);
            for (long position = 1; position < 200; position += 4) {
                ledger.record(position % 50 == 1 ? Outcome.values()[1] : Outcome.values()[0], position);
            }
            ledger.epoch(1);
            ledger.record(Outcome.values()[0], 5);
        }
        return List.of(Workshop.read(written));
    }

    /** Every record has a checksum. */
    @Override
    public void sign(byte[] input) {
        ByteBuffer records = ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at + LedgerFormat.RECORD <= input.length; at += LedgerFormat.RECORD) {
            records.putInt(at + 4, LedgerFormat.crc(records, at));
        }
    }
}
