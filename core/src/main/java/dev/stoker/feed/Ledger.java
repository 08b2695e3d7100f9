package dev.stoker.feed;

import dev.stoker.StokerException;
import dev.stoker.memory.ClaimedFile;
import dev.stoker.memory.OutputFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Writes what one rank delivers, append-only. What {@link #flush} wrote survives the death of the process. A restart
 * appends to the same file; when the epoch changes, the file is renamed to {@code FILE.eN}, N being the epoch it is of,
 * and a new one begun. Used by one thread.
 */
public final class Ledger implements AutoCloseable {
    private final Path file;
    private final Identity identity;
    private final Shard shard;
    private final ByteBuffer buffer = LedgerFormat.buffer(128);
    private @Nullable ClaimedFile claimed;
    private long epoch = -1;

    private Outcome outcome = Outcome.DELIVERED;
    private long first;
    private long count;
    private long step;

    private Ledger(Path file, Identity identity, Shard shard) {
        this.file = file;
        this.identity = identity;
        this.shard = shard;
    }

    /** Opens or creates a ledger; {@link #epoch} says where the rank begins. */
    public static Ledger open(Path file, Identity identity, Shard shard) {
        return new Ledger(file, identity, shard);
    }

    /** From here on positions are of this epoch. */
    public void epoch(long newEpoch) {
        if (newEpoch == epoch) {
            return;
        }
        try {
            closeFile();
            epoch = newEpoch;
            openFile();
        } catch (IOException e) {
            throw OutputFile.cannotWrite(file, e);
        }
    }

    /** Notes what became of a position; it is in the file after {@link #flush}. */
    public void record(Outcome newOutcome, long position) {
        if (epoch < 0) {
            throw new IllegalStateException("the epoch has not been given");
        }
        if (count > 0 && newOutcome == outcome) {
            if (count == 1 && position > first) {
                step = position - first;
            }
            if (position > first && position == first + count * step) {
                count++;
                return;
            }
        }
        endRun();
        outcome = newOutcome;
        first = position;
        count = 1;
        step = 1;
    }

    /** Hands everything noted to the operating system. */
    public void flush() {
        endRun();
        try {
            writeBuffer();
        } catch (IOException e) {
            throw OutputFile.cannotWrite(file, e);
        }
    }

    @Override
    public void close() {
        try {
            closeFile();
        } catch (IOException e) {
            throw OutputFile.cannotWrite(file, e);
        }
    }

    private void endRun() {
        if (count == 0) {
            return;
        }
        makeRoom();
        LedgerFormat.put(buffer, LedgerFormat.RUN, outcome.code(), 0, first, count, step);
        count = 0;
    }

    private void makeRoom() {
        if (!buffer.hasRemaining()) {
            try {
                writeBuffer();
            } catch (IOException e) {
                throw OutputFile.cannotWrite(file, e);
            }
        }
    }

    private void writeBuffer() throws IOException {
        ClaimedFile open = claimed;
        if (open == null) {
            return;
        }
        buffer.flip();
        try {
            while (buffer.hasRemaining()) {
                open.channel().write(buffer);
            }
        } finally {
            buffer.compact(); // after a failed write the rest stays, to be written after what has reached the file
        }
    }

    private void closeFile() throws IOException {
        ClaimedFile open = claimed;
        if (open == null) {
            return;
        }
        try (open) {
            endRun();
            writeBuffer();
            open.channel().force(true);
        } finally {
            claimed = null;
        }
    }

    private void openFile() throws IOException {
        ClaimedFile opened = claim();
        try {
            Existing existing = new Existing();
            long whole = LedgerReader.read(file, opened.channel(), existing);
            if (existing.epoch >= 0 && existing.epoch != epoch) {
                Files.move(file, LedgerFiles.rotated(file, existing.epoch));
                opened.close();
                opened = claim();
                whole = 0;
            }
            opened.channel().truncate(whole).position(whole);
            putHeader(whole == 0);
            claimed = opened;
        } finally {
            if (claimed == null) {
                opened.close();
            }
        }
        writeBuffer();
    }

    /**
     * Two processes that append to one ledger would write over each other; before it is locked, it is not even read. Some
     * parallel file systems are mounted without locks; then the launcher alone keeps ranks apart.
     */
    private ClaimedFile claim() throws IOException {
        ClaimedFile opened = ClaimedFile.open(file);
        if (opened == null) {
            throw new StokerException("[" + file + "] another process is writing this ledger; give every rank its own");
        }
        return opened;
    }

    private void putHeader(boolean isNew) {
        byte[] dataset = text(identity.dataset());
        byte[] order = text(identity.order());
        if (isNew) {
            LedgerFormat.putFile(buffer);
        }
        long lengths = ((long) order.length << 32) | dataset.length;
        LedgerFormat.put(buffer, LedgerFormat.JOB, 0, 0, identity.seed(), identity.size(), lengths);
        putText(dataset);
        putText(order);
        makeRoom();
        LedgerFormat.put(buffer, LedgerFormat.EPOCH, 0, 0, epoch, ((long) shard.world() << 32) | shard.rank(), 0);
    }

    private void putText(byte[] bytes) {
        for (int from = 0; from < bytes.length; from += LedgerFormat.TEXT_BYTES) {
            makeRoom();
            int length = Math.min(LedgerFormat.TEXT_BYTES, bytes.length - from);
            LedgerFormat.put(buffer, LedgerFormat.TEXT, length, bytes, from, length);
        }
    }

    private byte[] text(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > LedgerFormat.MAX_TEXT) {
            throw new StokerException("[" + file + "] the names of the dataset and of the order should have at most "
                    + LedgerFormat.MAX_TEXT + " bytes but one has " + bytes.length);
        }
        return bytes;
    }

    /** What a ledger that is there already is of; refuses one of another job. */
    private final class Existing implements LedgerReader.Visitor {
        private long epoch = -1;

        @Override
        public void job(Identity found) {
            identity.requireSame(found, file.toString());
        }

        @Override
        public void epoch(long found, Shard of) {
            epoch = found;
        }
    }
}
