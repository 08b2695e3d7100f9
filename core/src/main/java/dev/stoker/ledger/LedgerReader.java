package dev.stoker.ledger;

import dev.stoker.StokerException;
import dev.stoker.order.Order;
import dev.stoker.order.OrderFingerprint;
import dev.stoker.order.Shard;
import dev.stoker.os.FileErrors;
import dev.stoker.os.RegularFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads one ledger file from its beginning to its end, or to where its torn end begins. */
final class LedgerReader {
    /** Takes what stands in a ledger, in its sequence. */
    interface Visitor {
        default void job(OrderFingerprint identity) {}

        default void epoch(long epoch, Shard shard) {}

        default void run(Outcome outcome, long first, long count, long step) {}
    }

    private final Path file;
    private final Visitor visitor;
    private final ByteBuffer buffer = LedgerFormat.buffer(512);
    private long offset;
    private @Nullable OrderFingerprint job;
    private boolean inEpoch;
    // The JOB record whose texts are still being read.
    private @Nullable PendingJob pending;

    private record PendingJob(long seed, long size, int datasetBytes, int orderBytes, ByteArrayOutputStream text) {
        boolean isComplete() {
            return text.size() == datasetBytes + orderBytes;
        }
    }

    private LedgerReader(Path file, Visitor visitor) {
        this.file = file;
        this.visitor = visitor;
    }

    /**
     * Visits a ledger and returns how many of its bytes are whole; what follows was being written when the process died.
     *
     * @throws StokerException if a record is damaged, with its place
     */
    static long read(Path file, Visitor visitor) {
        try (FileChannel channel = RegularFile.open(file)) {
            return read(file, channel, visitor);
        } catch (IOException e) {
            throw FileErrors.cannotRead(file, e);
        }
    }

    /** The same for a ledger that is open. */
    static long read(Path file, FileChannel channel, Visitor visitor) throws IOException {
        return new LedgerReader(file, visitor).read(channel);
    }

    private long read(FileChannel channel) throws IOException {
        long jobStart = 0;
        while (fill(channel)) {
            for (; buffer.remaining() >= LedgerFormat.RECORD; offset += LedgerFormat.RECORD) {
                int at = buffer.position();
                if (buffer.getInt(at + 4) != LedgerFormat.crc(buffer, at)) {
                    if (isZeroToTheEnd(channel)) {
                        return pending == null ? offset : jobStart;
                    }
                    throw damaged("checksum should be %08x but is %08x"
                            .formatted(LedgerFormat.crc(buffer, at), buffer.getInt(at + 4)));
                }
                if (buffer.get(at) == LedgerFormat.JOB) {
                    jobStart = offset;
                }
                record(at);
                buffer.position(at + LedgerFormat.RECORD);
            }
        }
        if (offset == 0) {
            requireBeginningOfLedger();
        }
        return pending == null ? offset : jobStart;
    }

    /** A file too short for one record is a torn ledger only if it begins like one; a restart writes over it. */
    private void requireBeginningOfLedger() {
        ByteBuffer record = LedgerFormat.buffer(1);
        LedgerFormat.putFile(record);
        if (!buffer.equals(record.flip().limit(buffer.remaining()))) {
            throw damaged(
                    "a ledger should begin with a FILE record but has only " + buffer.remaining() + " other bytes");
        }
    }

    /** Reads on from the offset; false when no whole record is left. */
    private boolean fill(FileChannel channel) throws IOException {
        buffer.clear();
        int read;
        do {
            read = channel.read(buffer, offset + buffer.position());
        } while (read >= 0 && buffer.hasRemaining());
        buffer.flip();
        return buffer.remaining() >= LedgerFormat.RECORD;
    }

    /** A file system that lost the data of its last blocks in a power failure gives zeros. */
    private boolean isZeroToTheEnd(FileChannel channel) throws IOException {
        ByteBuffer rest = ByteBuffer.allocate(1 << 16);
        for (long at = offset; channel.read(rest.clear(), at) > 0; at += rest.limit()) {
            rest.flip();
            while (rest.hasRemaining()) {
                if (rest.get() != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    private void record(int at) {
        byte kind = buffer.get(at);
        int small = Short.toUnsignedInt(buffer.getShort(at + 2));
        if (offset == 0 && kind != LedgerFormat.FILE) {
            throw damaged("a ledger should begin with a FILE record but begins with kind " + kind);
        }
        if (pending != null && kind != LedgerFormat.TEXT) {
            throw damaged("a TEXT record should follow but kind " + kind + " does");
        }
        switch (kind) {
            case LedgerFormat.FILE -> file(at, small);
            case LedgerFormat.JOB ->
                job(buffer.getLong(at + 8), buffer.getLong(at + 16), buffer.getInt(at + 24), buffer.getInt(at + 28));
            case LedgerFormat.TEXT -> text(at, small);
            case LedgerFormat.EPOCH -> epoch(buffer.getLong(at + 8), buffer.getInt(at + 16), buffer.getInt(at + 20));
            case LedgerFormat.RUN ->
                run(buffer.get(at + 1), buffer.getLong(at + 8), buffer.getLong(at + 16), buffer.getLong(at + 24));
            default -> throw damaged("kind of record should be 1 to 5 but is " + kind);
        }
    }

    private void file(int at, int version) {
        byte[] magic = new byte[LedgerFormat.MAGIC.length];
        buffer.get(at + 8, magic);
        if (offset != 0 || version != LedgerFormat.VERSION || !Arrays.equals(magic, LedgerFormat.MAGIC)) {
            throw damaged("a FILE record of version " + LedgerFormat.VERSION
                    + " belongs only at byte 0, but one of version " + version + " is here");
        }
    }

    private void job(long seed, long size, int datasetBytes, int orderBytes) {
        if (size < 1
                || size > Order.MAX_SIZE
                || Math.min(datasetBytes, orderBytes) < 0
                || Math.max(datasetBytes, orderBytes) > LedgerFormat.MAX_TEXT) {
            throw damaged(
                    "size " + size + " or text lengths " + datasetBytes + " and " + orderBytes + " are impossible");
        }
        pending = new PendingJob(seed, size, datasetBytes, orderBytes, new ByteArrayOutputStream());
        inEpoch = false;
        finishJob();
    }

    private void text(int at, int length) {
        if (pending == null
                || length < 1
                || length > LedgerFormat.TEXT_BYTES
                || pending.text.size() + length > pending.datasetBytes + pending.orderBytes) {
            throw damaged("a TEXT record of " + length + " bytes should not be here");
        }
        byte[] bytes = new byte[length];
        buffer.get(at + 8, bytes);
        pending.text.writeBytes(bytes);
        finishJob();
    }

    private void finishJob() {
        PendingJob found = pending;
        if (found == null || !found.isComplete()) {
            return;
        }
        byte[] text = found.text.toByteArray();
        String dataset = new String(text, 0, found.datasetBytes, StandardCharsets.UTF_8);
        String order = new String(text, found.datasetBytes, found.orderBytes, StandardCharsets.UTF_8);
        job = new OrderFingerprint(found.seed, found.size, dataset, order);
        pending = null;
        visitor.job(job);
    }

    private void epoch(long epoch, int rank, int world) {
        if (job == null || epoch < 0 || world < 1 || rank < 0 || rank >= world) {
            throw damaged("epoch " + epoch + " of rank " + rank + " in a world of " + world
                    + (job == null ? " comes before its JOB" : " is impossible"));
        }
        inEpoch = true;
        visitor.epoch(epoch, new Shard(rank, world));
    }

    private void run(int code, long first, long count, long step) {
        OrderFingerprint identity = job;
        Outcome outcome = Outcome.ofCode(code);
        if (identity == null || !inEpoch || outcome == null) {
            throw damaged("a RUN of outcome " + code + " should not be here");
        }
        long size = identity.size();
        if (first < 0 || first >= size || count < 1 || step < 1 || count - 1 > (size - 1 - first) / step) {
            throw damaged("a RUN of " + count + " positions from " + first + ", each " + step
                    + " after the other, should lie between 0 and " + (size - 1));
        }
        visitor.run(outcome, first, count, step);
    }

    private StokerException damaged(String reason) {
        return new StokerException(
                file,
                "record " + offset / LedgerFormat.RECORD + " at byte " + offset + ": " + reason
                        + "; this is not a ledger or it is damaged, and what it said here is lost");
    }
}
