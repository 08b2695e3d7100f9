package dev.stoker.feed;

import dev.stoker.StokerException;
import dev.stoker.memory.Layouts;
import dev.stoker.memory.Posix;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A place for one batch at a time, with memory that is used again and again.
 *
 * <p>Who owns it: the thread that plans, then all threads that read, then the consumer; {@link Ring} says when. What a
 * plan writes is seen by the threads that read because they take pieces by {@link #piecesLeft}.
 */
final class Slot implements AutoCloseable {
    static final int ALIGNMENT = 64;
    private static final long PIECE_BYTES = 256 << 10;
    private static final int PROBES = 4;

    /** What is happening to the batch. */
    enum State {
        FREE,
        CUT,
        PLANNING,
        PLANNED,
        ADMITTED,
        READING,
        READY,
        HELD
    }

    private final Job job;
    private final BatchField[] fields;

    /** Guarded by the ring's lock. */
    State state = State.FREE;

    Cut cut;
    private @Nullable Arena arena;
    MemorySegment memory = MemorySegment.NULL;
    long capacity;

    private final Rows rows;

    // The layout: where in the memory each field's values, offsets and shapes lie, and each value in its field.
    final long[] valuesAt;
    final long[] offsetsAt;
    final long[] shapesAt;
    final long[] widths;
    private final long[][] starts;
    private long bytes;

    private int samplesPerPiece;
    private int pieces;
    /** Pieces that nobody has taken; negative when all are taken. */
    private final AtomicInteger piecesLeft = new AtomicInteger(-1);

    private final AtomicInteger piecesUnfinished = new AtomicInteger();
    private volatile boolean hasBad;
    private @Nullable RuntimeException failure;
    private int failedRow;

    @SuppressWarnings("NullAway.Init")
    Slot(Job job) {
        this.job = job;
        this.fields = job.fields();
        this.valuesAt = new long[fields.length];
        this.offsetsAt = new long[fields.length];
        this.shapesAt = new long[fields.length];
        this.widths = new long[fields.length];
        this.starts = new long[fields.length][0];
        this.rows = new Rows(job);
    }

    // ---- planning: by one thread

    /** Finds out which samples the batch has, and where in its memory each value will lie. */
    void plan() {
        failure = null;
        hasBad = false;
        bytes = 0;
        try {
            rows.find(cut);
            makeRoom(rows.count());
            layOut();
            advise();
        } catch (StokerException e) {
            fail(0, e);
        }
        pieces = failure != null ? 0 : (rows.count() + samplesPerPiece - 1) / samplesPerPiece;
    }

    private void makeRoom(int count) {
        for (int f = 0; f < fields.length; f++) {
            if (starts[f].length < count) {
                starts[f] = new long[count];
            }
        }
    }

    private void layOut() {
        long end = 0;
        long read = 0;
        for (int f = 0; f < fields.length; f++) {
            BatchField field = fields[f];
            if (field.shapeRank() > 0) {
                shapesAt[f] = Layouts.align(end, ALIGNMENT);
                end = shapesAt[f] + 8L * rows.count() * field.shapeRank();
            }
            if (!field.isDense()) {
                offsetsAt[f] = Layouts.align(end, ALIGNMENT);
                end = offsetsAt[f] + 8L * (rows.count() + 1);
            }
            valuesAt[f] = Layouts.align(end, ALIGNMENT);
            widths[f] = width(f);
            long at = valuesAt[f];
            for (int row = 0; row < rows.count(); row++) {
                starts[f][row] = at;
                read += rows.length(f, row);
                at = Math.addExact(at, widths[f] >= 0 ? widths[f] : rows.length(f, row));
            }
            end = at;
        }
        bytes = end;
        int threads = job.threads(cut.mode());
        long perSample = Math.max(1, read / Math.max(1, rows.count()));
        // With slow storage every sample is a piece of its own, so that as many reads as threads are in flight.
        samplesPerPiece = cut.mode() == ReadMode.PREAD
                ? 1
                : Math.clamp(PIECE_BYTES / perSample, 1, Math.max(1, rows.count() / (2 * threads)));
    }

    private long width(int f) {
        BatchField field = fields[f];
        if (field.type().isFixed()) {
            return field.type().width();
        }
        if (field.padding() == BatchField.NONE) {
            return -1;
        }
        long longest = 0;
        for (int row = 0; row < rows.count(); row++) {
            longest = Math.max(longest, rows.length(f, row));
            if (field.padding() != BatchField.LONGEST && longest > field.padding()) {
                throw new StokerException(job.describe(rows.place(row)) + " has " + longest + " bytes in field '"
                        + field.field().name() + "', more than the " + field.padding()
                        + " that values are padded to; pad to more");
            }
        }
        return field.padding() == BatchField.LONGEST ? longest : field.padding();
    }

    /** Where mapped values are not in memory, as a few of them tell, the system is asked for all of them now. */
    private void advise() {
        if (cut.mode() != ReadMode.MAP) {
            return;
        }
        for (int f = 0; f < fields.length; f++) {
            boolean resident = true;
            for (int probe = 0; probe < PROBES && resident && rows.count() > 0; probe++) {
                int row = (int) ((long) probe * rows.count() / PROBES);
                resident = !isMapped(f, row)
                        || rows.member(row).isResident(rows.local(row), rows.source(f, row), rows.length(f, row));
            }
            for (int row = 0; row < rows.count() && !resident; row++) {
                if (isMapped(f, row)) {
                    rows.member(row)
                            .advise(rows.local(row), rows.source(f, row), rows.length(f, row), Posix.Advice.WILL_NEED);
                }
            }
        }
    }

    private boolean isMapped(int f, int row) {
        return !rows.isMissing(f, row)
                && !rows.member(row).isLoose()
                && rows.member(row).isInFile(rows.source(f, row));
    }

    /** The memory that the planned batch needs. */
    long bytes() {
        return failure == null ? bytes : 0;
    }

    void allocate(long size) {
        free();
        Arena fresh = Arena.ofShared();
        arena = fresh;
        try {
            memory = fresh.allocate(size, ALIGNMENT);
        } catch (OutOfMemoryError e) {
            refuse(new StokerException(
                    "a batch needs " + size + " bytes outside the heap, which the system does not give; use smaller"
                            + " batches, fewer of them ahead, or more memory",
                    e));
            return;
        }
        capacity = size;
    }

    /** The planned batch cannot be read at all. */
    void refuse(StokerException e) {
        fail(0, e);
        pieces = 0;
    }

    /** Gives the memory back; the slot can be used again. */
    void free() {
        if (arena != null) {
            arena.close();
            arena = null;
        }
        memory = MemorySegment.NULL;
        capacity = 0;
    }

    // ---- reading: by many threads

    /** Lets threads take pieces. Returns false if there are none: then the batch is finished already. */
    boolean publish() {
        piecesUnfinished.set(pieces);
        piecesLeft.set(pieces == 0 ? -1 : pieces);
        return pieces > 0;
    }

    boolean hasPieces() {
        return piecesLeft.get() > 0;
    }

    int pieces() {
        return pieces;
    }

    /**
     * Takes pieces until there are none; returns true if this thread finished the last one. A thread that is late may
     * find the slot used for its next batch: then it takes pieces of that one, which is as good.
     */
    boolean work(ReaderThread thread) {
        boolean finishedLast = false;
        int left;
        while (!finishedLast && (left = piecesLeft.decrementAndGet()) >= 0) {
            int from = (pieces - 1 - left) * samplesPerPiece;
            int to = Math.min(rows.count(), from + samplesPerPiece);
            for (int row = from; row < to; row++) {
                readRow(row, thread);
            }
            finishedLast = piecesUnfinished.decrementAndGet() == 0;
        }
        return finishedLast;
    }

    private void readRow(int row, ReaderThread thread) {
        int f = 0;
        try {
            for (; f < fields.length; f++) {
                if (fields[f].shapeRank() > 0) {
                    writeShape(f, row);
                }
                if (rows.isMissing(f, row)) {
                    memory.asSlice(starts[f][row], Math.max(0, widths[f])).fill((byte) 0);
                } else if (fields[f].isDecoded()) {
                    thread.decode(this, f, row);
                } else {
                    readValue(f, row);
                }
            }
        } catch (InternalError e) {
            bad(row, rows.member(row).unreadable(rows.local(row), rows.source(f, row), e));
        } catch (RuntimeException e) {
            bad(row, e);
        }
    }

    private void writeShape(int f, int row) {
        int rank = fields[f].shapeRank();
        long[] shape = rows.isMissing(f, row)
                ? new long[rank]
                : rows.member(row).samples().shape(rows.local(row), rows.source(f, row));
        for (int d = 0; d < rank; d++) {
            memory.set(Layouts.U64, shapesAt[f] + 8L * ((long) row * rank + d), shape[d]);
        }
    }

    private void readValue(int f, int row) {
        long length = rows.length(f, row);
        long start = starts[f][row];
        load(f, row, memory, start);
        if (job.verify()) {
            rows.member(row).verify(rows.local(row), rows.source(f, row), memory.asSlice(start, length));
        }
        if (widths[f] > length) {
            memory.asSlice(start + length, widths[f] - length).fill((byte) 0);
        }
    }

    /** Brings the stored bytes of a value into memory. */
    private void load(int f, int row, MemorySegment to, long at) {
        if (cut.mode() == ReadMode.PREAD) {
            rows.member(row).read(rows.local(row), rows.source(f, row), to, at, rows.length(f, row));
        } else {
            rows.member(row).copy(rows.local(row), rows.source(f, row), to, at, rows.length(f, row));
        }
    }

    /** Decodes one value into its place. */
    void decode(int f, int row, Decoder decoder, ReaderThread thread) {
        MemorySegment encoded;
        if (cut.mode() == ReadMode.PREAD || rows.member(row).isLoose()) {
            encoded = thread.scratch(rows.length(f, row));
            load(f, row, encoded, 0);
        } else {
            encoded = rows.member(row).slice(rows.local(row), rows.source(f, row));
        }
        if (job.verify()) {
            rows.member(row).verify(rows.local(row), rows.source(f, row), encoded);
        }
        Position start = cut.start();
        decoder.decode(
                encoded,
                memory,
                starts[f][row],
                start.identity().seed(),
                start.epoch(),
                rows.place(row).sample());
    }

    private void bad(int row, RuntimeException e) {
        if (job.badPolicy() == BadPolicy.FAIL) {
            fail(
                    row,
                    e instanceof StokerException
                            ? e
                            : new StokerException(job.describe(rows.place(row)) + " cannot be decoded: " + e, e));
        } else {
            job.bad().add(rows.place(row), String.valueOf(e.getMessage()));
            hasBad = true;
        }
    }

    /** Keeps the failure of the first row, so that the same one is reported whatever the threads do. */
    private synchronized void fail(int row, RuntimeException e) {
        if (failure == null || row < failedRow) {
            failure = e;
            failedRow = row;
        }
    }

    // ---- finishing: by the thread that read the last piece

    /** Lets go of the files. Returns false if samples were bad, so that the batch is to be planned again. */
    boolean finish() {
        rows.release();
        if (hasBad) {
            return false;
        }
        if (failure == null) {
            writeOffsets();
        }
        return true;
    }

    private void writeOffsets() {
        for (int f = 0; f < fields.length; f++) {
            if (fields[f].isDense()) {
                continue;
            }
            for (int row = 0; row < rows.count(); row++) {
                memory.set(Layouts.U64, offsetsAt[f] + 8L * row, starts[f][row] - valuesAt[f]);
            }
            memory.set(Layouts.U64, offsetsAt[f] + 8L * rows.count(), valuesEnd(f) - valuesAt[f]);
        }
    }

    // ---- consuming: by the consumer

    @Nullable
    RuntimeException failure() {
        return failure;
    }

    Rows rows() {
        return rows;
    }

    int fieldCount() {
        return fields.length;
    }

    /** The number of dimensions that values of a field each have for themselves. */
    int rank(int f) {
        return fields[f].shapeRank();
    }

    long start(int f, int row) {
        return starts[f][row];
    }

    /** The bytes of one value, without padding. */
    long length(int f, int row) {
        return fields[f].isDecoded() ? widths[f] : rows.isMissing(f, row) ? 0 : rows.length(f, row);
    }

    long valuesEnd(int f) {
        int last = rows.count() - 1;
        return last < 0 ? valuesAt[f] : starts[f][last] + (widths[f] >= 0 ? widths[f] : rows.length(f, last));
    }

    @Override
    public void close() {
        rows.release();
        free();
    }
}
