package dev.stoker.ledger;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.order.OrderFingerprint;
import dev.stoker.order.Shard;
import dev.stoker.os.ExclusiveFile;
import dev.stoker.os.FileErrors;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Writes what one rank delivers, append-only. What {@link #flush} wrote survives the death of the process; what it could
 * not write is not in the file either. A restart appends to the same file; when the epoch changes, the file is renamed to
 * {@code FILE.eN}, N being the epoch it is of, and a new one begun. Used by one thread.
 */
@PublicApi
public final class Ledger implements AutoCloseable {
    private static final Duration RETRY = Duration.ofMillis(20);

    private final Path file;
    private final OrderFingerprint identity;
    private final Shard shard;
    /** The file from the beginning of an epoch on. */
    private @Nullable LedgerAppender appender;
    /** The file while no epoch has begun. */
    private @Nullable ExclusiveFile reserved;

    /** The epoch that was begun; -1 if none was, or writing it failed. */
    private long epoch = -1;

    private Outcome outcome = Outcome.DELIVERED;
    private long first;
    private long count;
    private long step;

    private Ledger(Path file, OrderFingerprint identity, Shard shard) {
        this.file = file;
        this.identity = identity;
        this.shard = shard;
    }

    /** Opens or creates a ledger; {@link #epoch} says where the rank begins. */
    public static Ledger open(Path file, OrderFingerprint identity, Shard shard) {
        return new Ledger(file, identity, shard);
    }

    /**
     * Takes the file for this rank, and refuses one of another job, but begins no epoch: a check would miss its samples
     * if none is delivered.
     *
     * @param patience how long to wait for a process or connection of the same rank that is just ending
     */
    public void reserve(Duration patience) {
        try {
            ExclusiveFile opened = claim(patience);
            try {
                LedgerReader.read(file, opened.channel(), new Existing());
                reserved = opened;
            } finally {
                if (reserved == null) {
                    opened.close();
                }
            }
        } catch (IOException e) {
            throw FileErrors.cannotWrite(file, e);
        }
    }

    /** From here on positions are of this epoch. */
    public void epoch(long newEpoch) {
        if (newEpoch == epoch) {
            return;
        }
        try {
            ExclusiveFile own = reserved;
            reserved = null;
            if (own == null) {
                closeFile();
                own = claim(Duration.ZERO);
            }
            appender = open(own, newEpoch);
            epoch = newEpoch;
        } catch (IOException e) {
            throw FileErrors.cannotWrite(file, e);
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
        append(this::endRun);
        outcome = newOutcome;
        first = position;
        count = 1;
        step = 1;
    }

    /**
     * Hands everything noted to the operating system. If that fails, nothing that was noted since the last flush is in the
     * file, and no epoch is begun any more.
     */
    public void flush() {
        append(to -> {
            endRun(to);
            to.flush();
        });
    }

    /** Takes back what was noted between the last two flushes: it was not delivered after all. No epoch is begun any more. */
    public void withdraw() {
        append(LedgerAppender::withdraw);
        abandon();
    }

    @Override
    public void close() {
        try {
            closeFile();
        } catch (IOException e) {
            throw FileErrors.cannotWrite(file, e);
        }
    }

    private interface Appending {
        void to(LedgerAppender open) throws IOException;
    }

    private void append(Appending what) {
        LedgerAppender open = appender;
        if (open == null) {
            return;
        }
        try {
            what.to(open);
        } catch (IOException e) {
            abandon();
            throw FileErrors.cannotWrite(file, e);
        }
    }

    /** Leaves the file as it is. */
    private void abandon() {
        LedgerAppender open = appender;
        appender = null;
        epoch = -1;
        count = 0;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                throw FileErrors.cannotWrite(file, e);
            }
        }
    }

    private void endRun(LedgerAppender to) throws IOException {
        if (count > 0) {
            to.put(LedgerFormat.RUN, outcome.code(), first, count, step);
            count = 0;
        }
    }

    private void closeFile() throws IOException {
        if (reserved != null) {
            reserved.close();
            reserved = null;
        }
        flush();
        try (LedgerAppender open = appender) {
            appender = null;
            epoch = -1;
            if (open != null) {
                open.sync();
            }
        }
    }

    private LedgerAppender open(ExclusiveFile own, long newEpoch) throws IOException {
        ExclusiveFile opened = own;
        boolean isKept = false;
        try {
            Existing existing = new Existing();
            long whole = LedgerReader.read(file, opened.channel(), existing);
            if (existing.epoch >= 0 && existing.epoch != newEpoch) {
                Files.move(file, LedgerFiles.rotated(file, existing.epoch));
                opened.close();
                opened = claim(Duration.ZERO);
                whole = 0;
            }
            var begun = new LedgerAppender(opened, whole);
            putHeader(begun, newEpoch);
            isKept = true;
            return begun;
        } finally {
            if (!isKept) {
                opened.close();
            }
        }
    }

    /**
     * Two processes that append to one ledger would write over each other; before it is locked, it is not even read. Some
     * parallel file systems are mounted without locks; then the launcher alone keeps ranks apart.
     */
    private ExclusiveFile claim(Duration patience) throws IOException {
        long begin = System.nanoTime();
        while (true) {
            ExclusiveFile opened = ExclusiveFile.open(file);
            if (opened != null) {
                return opened;
            }
            if (System.nanoTime() - begin >= patience.toNanos()) {
                throw new StokerException(file, "another process is writing this ledger; give every rank its own");
            }
            LockSupport.parkNanos(RETRY.toNanos());
        }
    }

    private void putHeader(LedgerAppender to, long newEpoch) throws IOException {
        byte[] dataset = text(identity.dataset());
        byte[] order = text(identity.order());
        if (to.isEmpty()) {
            to.putFile();
        }
        long lengths = ((long) order.length << 32) | dataset.length;
        to.put(LedgerFormat.JOB, 0, identity.seed(), identity.size(), lengths);
        to.putText(dataset);
        to.putText(order);
        to.put(LedgerFormat.EPOCH, 0, newEpoch, ((long) shard.world() << 32) | shard.rank(), 0);
        to.write();
    }

    private byte[] text(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > LedgerFormat.MAX_TEXT) {
            throw new StokerException(
                    file,
                    "the names of the dataset and of the order should have at most " + LedgerFormat.MAX_TEXT
                            + " bytes but one has " + bytes.length);
        }
        return bytes;
    }

    /** What a ledger that is there already is of; refuses one of another job. */
    private final class Existing implements LedgerReader.Visitor {
        private long epoch = -1;

        @Override
        public void job(OrderFingerprint found) {
            identity.requireSame(found, file.toString());
        }

        @Override
        public void epoch(long found, Shard of) {
            epoch = found;
        }
    }
}
