package dev.stoker.collect;

import dev.stoker.StokerException;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import dev.stoker.memory.Found;
import dev.stoker.memory.Layouts;
import dev.stoker.memory.OutputFile;
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
 *   ... when all ranks are done, once: Seal.run(path, ...), or the command stoker seal
 * </pre>
 *
 * What was appended is written after {@link Settings#flush} at the latest, or when there is enough of it; from then on
 * it survives this process. Any number of threads may append.
 */
public final class Collector implements AutoCloseable {
    static final long SMALLEST_CHUNK = 64 << 10;
    /** A chunk holds several writes. */
    private static final int WRITES_PER_CHUNK = 4;
    /** Enough for one large write, however large the chunks are. */
    private static final long LARGE_WRITE = 4 << 20;

    private final CollectHead head;
    private final OutputFile file;
    private final int rank;
    private final Settings settings;
    private final Pending pending;
    private final BatchWriter writer;
    private final Thread flusher;
    private final long claim = new SecureRandom().nextLong();
    private long chunkNumber;
    private long position;
    private long written;
    private boolean closed;
    private @Nullable RuntimeException failure;

    /**
     * How to collect.
     *
     * @param chunk bytes that a rank writes before the next rank's turn in the file; no sample may be larger, and each
     *     rank may leave as many unused at the end
     * @param flush how long a sample may wait until it is written
     * @param sync whether each write waits for the disk, and so survives the node, not only the process
     */
    public record Settings(long chunk, Duration flush, boolean sync) {
        public static final Settings DEFAULT = new Settings(4 << 20, Duration.ofSeconds(5), false);

        public Settings {
            if (chunk < SMALLEST_CHUNK || chunk % BatchWriter.ALIGNMENT != 0 || chunk > 1 << 30) {
                throw new StokerException("a chunk has " + SMALLEST_CHUNK + " to " + (1 << 30)
                        + " bytes, a multiple of 64, not " + chunk);
            }
            if (flush.isNegative() || flush.isZero()) {
                throw new StokerException("the time between two writes is longer than 0");
            }
        }
    }

    private Collector(CollectHead head, OutputFile file, int rank, Settings settings) {
        this.head = head;
        this.file = file;
        this.rank = rank;
        this.settings = settings;
        this.pending = new Pending(head.schema());
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
        if (Found.exists(output)) {
            throw new StokerException("[" + output + "] is there already; choose another output, or delete it");
        }
        Format format = Formats.forOutput(output);
        long headBytes = format.collecting(schema).headBytes();
        CollectHead head = CollectHead.of(format.name(), world, settings.chunk(), schema, headBytes);
        OutputFile file = OutputFile.open(partial(output));
        try {
            requireUnclaimed(head, file, rank);
            var collector = new Collector(head, file, rank, settings);
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
        Path absolute = output.toAbsolutePath().normalize();
        return absolute.resolveSibling(absolute.getFileName() + ".partial");
    }

    private static void requireUnclaimed(CollectHead head, OutputFile file, int rank) {
        CollectHead found = CollectHead.read(file);
        if (found == null) {
            file.write(0, head.toBytes());
        } else if (!found.equals(head)) {
            throw new StokerException("[" + file.path() + "] was begun with " + found + ", but rank " + rank
                    + " was given " + head + "; give all ranks the same, and another job another output");
        }
        MemorySegment first = MemorySegment.ofArray(new byte[BatchWriter.MAGIC.length]);
        if (file.read(head.start() + rank * head.chunk(), first)
                && first.mismatch(MemorySegment.ofArray(BatchWriter.MAGIC)) < 0) {
            throw new StokerException("[" + file.path() + "] was begun by a rank " + rank + " already; give every"
                    + " process a rank of its own. If a job of before left the file, close it with stoker seal"
                    + " --salvage, or delete it");
        }
    }

    private void claim() {
        MemorySegment first = writer.makeClaim(pending, rank, claim);
        file.write(position, first);
        position = Layouts.align(position + first.byteSize(), BatchWriter.ALIGNMENT);
    }

    private void requireClaim() {
        MemorySegment found = MemorySegment.ofArray(new byte[Long.BYTES]);
        long first = head.start() + rank * head.chunk();
        if (!file.read(first + BatchWriter.CLAIM_AT, found) || found.get(Layouts.U64, 0) != claim) {
            throw new StokerException("[" + file.path() + "] another process writes as rank " + rank
                    + " too; give every process a rank of its own");
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
            throw new StokerException("[" + file.path() + "] a sample takes " + batch.byteSize()
                    + " bytes but a chunk has " + head.chunk() + "; collect with larger chunks");
        }
        if (position + batch.byteSize() > chunkStart() + head.chunk()) {
            chunkNumber += head.world();
            position = chunkStart();
        }
        if (!CollectHead.isOpen(file)) {
            throw new StokerException("[" + file.path() + "] is being sealed, so rank " + rank + " cannot add its last "
                    + pending.count() + " samples");
        }
        requireClaim();
        file.write(position, batch);
        if (settings.sync()) {
            file.sync();
        }
        position = Layouts.align(position + batch.byteSize(), BatchWriter.ALIGNMENT);
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
