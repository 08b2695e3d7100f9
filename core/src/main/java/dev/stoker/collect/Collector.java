package dev.stoker.collect;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.OutputFile;
import dev.stoker.io.OutputNames;
import dev.stoker.os.FileProbe;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One process's way of adding samples to a file that many processes write at once, such as the predictions of a running
 * job.
 *
 * <pre>
 *   try (var collector = Collector.open(path, schema, rank, world)) {
 *       collector.append(key, prediction);
 *   }
 *   ... when all ranks are done, once: CollectSealer.run(path, ...), or the command stoker seal
 * </pre>
 *
 * What was appended is written after {@link Settings#flush} at the latest, or when there is enough of it; from then on
 * it survives this process. Any number of threads may append.
 */
@PublicApi
public final class Collector implements AutoCloseable {
    /** So that no page has two writers, however large the pages of the nodes are; see {@code WholePageFile}. */
    static final long SMALLEST_CHUNK = 64 << 10;
    /** A chunk holds several writes. */
    private static final int WRITES_PER_CHUNK = 4;
    /** Enough for one large write, however large the chunks are. */
    private static final long LARGE_WRITE = 4 << 20;

    private final Path output;
    private final CollectHeader head;
    private final OutputFile file;
    private final int rank;
    private final Settings settings;
    private final PendingSamples pending;
    private final BatchWriter writer;
    private final Thread flusher;
    private final long claim = new SecureRandom().nextLong();
    private long chunkNumber;
    private long position;
    /** Where the last batch that was written stands. */
    private long lastBatch;

    private final MemorySegment lastHead = MemorySegment.ofArray(new byte[BatchWriter.HEAD_BYTES]);
    private long written;
    private boolean closed;
    private @Nullable RuntimeException failure;

    /**
     * How to collect.
     *
     * @param chunk bytes that a rank writes before the next rank's turn in the file, a multiple of 64 KiB; no sample may be
     *     larger, and each rank may leave as many unused at the end
     * @param flush how long a sample may wait until it is written
     * @param sync whether each write waits for the disk, and so survives the node, not only the process
     */
    public record Settings(long chunk, Duration flush, boolean sync) {
        public static final Settings DEFAULT = new Settings(4 << 20, Duration.ofSeconds(5), false);

        public Settings {
            if (chunk < SMALLEST_CHUNK || chunk % SMALLEST_CHUNK != 0 || chunk > 1 << 30) {
                throw new StokerException("a chunk has " + SMALLEST_CHUNK + " to " + (1 << 30)
                        + " bytes, a multiple of 65536, not " + chunk);
            }
            if (flush.isNegative() || flush.isZero()) {
                throw new StokerException("the time between two writes is longer than 0");
            }
        }
    }

    private Collector(Path output, CollectHeader head, OutputFile file, int rank, Settings settings) {
        this.output = output;
        this.head = head;
        this.file = file;
        this.rank = rank;
        this.settings = settings;
        this.pending = new PendingSamples(head.schema());
        this.writer = new BatchWriter(head, Formats.named(head.format()).collecting(head.schema()), pending);
        this.chunkNumber = rank;
        this.position = chunkStart();
        this.flusher = Thread.ofPlatform().daemon().name("stoker-flush").unstarted(this::flushNowAndThen);
    }

    /** Opens a file that {@code world} processes write; its ending names the format. */
    public static Collector open(Path output, Schema schema, int rank, int world) {
        return open(output, schema, rank, world, Settings.DEFAULT);
    }

    public static Collector open(Path output, Schema schema, int rank, int world, Settings settings) {
        if (world < 1 || rank < 0 || rank >= world) {
            throw new StokerException("rank " + rank + " of " + world + ": ranks are counted from 0 and less than all");
        }
        requireNotSealed(output);
        Format format = Formats.forOutput(output);
        long headBytes = format.collecting(schema).headBytes();
        CollectHeader head = CollectHeader.of(format.name(), world, settings.chunk(), schema, headBytes);
        OutputFile file = OutputFile.open(partial(output));
        try {
            requireNotSealed(output);
            requireUnclaimed(head, file, rank);
            requireNotSealing(file, rank);
            var collector = new Collector(output, head, file, rank, settings);
            collector.claim();
            collector.flusher.start();
            return collector;
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** The name of the file until it is sealed. */
    static Path partial(Path output) {
        return OutputNames.partial(output.toAbsolutePath().normalize());
    }

    /** Asked once more after the partial file was opened: until then it could get its name, and another one be made. */
    private static void requireNotSealed(Path output) {
        if (FileProbe.exists(output)) {
            throw new StokerException(output, "already exists; choose another output, or delete it");
        }
    }

    private static void requireUnclaimed(CollectHeader head, OutputFile file, int rank) {
        CollectHeader found = CollectHeader.read(file);
        if (found == null) {
            file.write(0, head.toBytes());
        } else if (!found.equals(head)) {
            throw new StokerException(
                    file.path(),
                    "was started with " + found + ", but rank " + rank + " was given " + head
                            + "; start all ranks with the same arguments; use a different output for a different job");
        }
        MemorySegment first = MemorySegment.ofArray(new byte[BatchWriter.MAGIC.length]);
        if (file.read(head.start() + rank * head.chunk(), first)
                && first.mismatch(MemorySegment.ofArray(BatchWriter.MAGIC)) < 0) {
            throw new StokerException(
                    file.path(),
                    "already has a rank " + rank + "; give each process its own rank. If an earlier job left this file,"
                            + " finish it with stoker seal --salvage, or delete it");
        }
    }

    private static void requireNotSealing(OutputFile file, int rank) {
        try (CurrentFile named = CurrentFile.open(file.path())) {
            if (!named.isCollecting()) {
                throw new StokerException(
                        file.path(),
                        "is being sealed, so rank " + rank
                                + " cannot begin; if that was interrupted, finish it with stoker seal --salvage");
            }
        }
    }

    private void claim() {
        put(writer.makeClaim(pending, rank, claim));
    }

    /** Refuses to write where nobody would look for it: the file that has the name need not be the one that is open here. */
    private void requireCollecting() {
        try (CurrentFile named = CurrentFile.open(file.path())) {
            if (!named.isCollecting()) {
                throw new StokerException(
                        file.path(),
                        "is being sealed, or was sealed or moved, so rank " + rank + " cannot add its last "
                                + pending.count() + " samples");
            }
            requireClaim(named);
        }
    }

    private void requireClaim(CurrentFile named) {
        if (named.number(head.start() + rank * head.chunk() + BatchWriter.CLAIM_AT) != claim) {
            throw new StokerException(
                    file.path(),
                    "another process writes as rank " + rank
                            + " too, or the file was replaced; give every process a rank of its own");
        }
    }

    private void put(MemorySegment batch) {
        file.write(position, batch);
        if (settings.sync()) {
            file.sync();
        }
        lastBatch = position;
        MemorySegment.copy(batch, 0, lastHead, 0, lastHead.byteSize());
        requireWritten();
        position = LittleEndian.align(position + batch.byteSize(), BatchWriter.ALIGNMENT);
    }

    /**
     * Looks whether the last batch is in the file that has the name. Whoever salvages the file says so in its head first
     * and looks for batches then: what is there before that is found, and what is written later goes to a file that has
     * no name any more. When all ranks have said that they are done, the file may be sealed at any moment.
     */
    private void requireWritten() {
        try (CurrentFile named = CurrentFile.open(file.path())) {
            if (named.isCollecting()) {
                requireClaim(named);
            }
            if (named.has(lastBatch, lastHead) && !named.isSalvaged()) {
                return;
            }
        }
        try (CurrentFile sealed = CurrentFile.open(output)) {
            if (!sealed.has(lastBatch, lastHead)) {
                throw new StokerException(
                        file.path(),
                        "was sealed or moved while rank " + rank + " wrote to it: its last " + pending.count()
                                + " samples may be missing");
            }
        }
    }

    private long chunkStart() {
        return head.start() + chunkNumber * head.chunk();
    }

    /** Adds a sample: for each field of the schema its value in canonical form. */
    public void append(MemorySegment... values) {
        append(-1, values);
    }

    /**
     * Adds a sample that belongs to something with a number.
     *
     * @param index what the samples can be ordered by, such as the number of the sample that this is a prediction for
     */
    public void append(long index, MemorySegment... values) {
        append(index, new long[0][], values);
    }

    /**
     * Adds a sample with arrays of several dimensions.
     *
     * @param shapes for each field the dimensions of its value, if it is an array
     */
    public synchronized void append(long index, long[][] shapes, MemorySegment... values) {
        requireOpen();
        long enough = Math.min(head.chunk() / WRITES_PER_CHUNK, LARGE_WRITE);
        if (pending.bytes() + pending.cost(values) > enough) {
            flush();
        }
        pending.add(index, shapes, values);
        if (pending.bytes() > enough) {
            flush();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the collector is closed");
        }
        if (failure != null) {
            throw new StokerException(String.valueOf(failure.getMessage()), failure);
        }
    }

    /** Writes what was appended; returns when the system has it. */
    public synchronized void flush() {
        requireOpen();
        if (pending.count() > 0) {
            write(false);
        }
    }

    private void write(boolean last) {
        MemorySegment batch = writer.make(pending, rank, written, last);
        if (batch.byteSize() > head.chunk()) {
            pending.clear();
            throw new StokerException(
                    file.path(),
                    "a sample takes " + batch.byteSize() + " bytes but a chunk has " + head.chunk()
                            + "; collect with larger chunks");
        }
        if (position + batch.byteSize() > chunkStart() + head.chunk()) {
            chunkNumber += head.world();
            position = chunkStart();
        }
        requireCollecting();
        put(batch);
        written += pending.count();
        pending.clear();
    }

    private void flushNowAndThen() {
        while (true) {
            LockSupport.parkNanos(settings.flush().toNanos());
            synchronized (this) {
                if (closed) {
                    return;
                }
                try {
                    flush();
                } catch (RuntimeException e) {
                    failure = e;
                    return;
                }
            }
        }
    }

    /** How many samples are written. */
    public synchronized long written() {
        return written;
    }

    /** Writes the rest, and says that this rank is done. */
    @Override
    public void close() {
        end(true);
    }

    /** Writes the rest, but leaves the rank as one that was interrupted. */
    public void abandon() {
        end(false);
    }

    private void end(boolean isDone) {
        synchronized (this) {
            if (closed) {
                return;
            }
            try {
                requireOpen();
                flush();
                if (isDone) {
                    write(true);
                }
                file.sync();
                requireWritten(); // again: a network filesystem may have kept the writes until the sync
            } finally {
                closed = true;
                file.close();
                writer.close();
                pending.close();
            }
        }
        LockSupport.unpark(flusher);
    }
}
