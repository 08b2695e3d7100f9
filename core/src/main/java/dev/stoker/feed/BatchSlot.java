package dev.stoker.feed;

import dev.stoker.StokerException;
import dev.stoker.dataset.ChangedFileException;
import dev.stoker.remote.RemoteException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A place for one batch at a time, with memory that is used again and again.
 *
 * <p>Who owns it: the thread that plans, then all threads that read, then the consumer; {@link BatchRing} says when. What a
 * plan writes is seen by the threads that read because they take pieces by {@link #piecesLeft}.
 */
final class BatchSlot implements AutoCloseable {
    private static final String REMEDY =
            "; skip such samples with --bad skip (in Python bad=\"skip\"), or leave such pictures"
                    + " out of the container with pack --check-images --skip-bad";

    private static final long PIECE_BYTES = 256 << 10;

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

    private final FeedContext job;

    /** Guarded by the ring's lock. */
    State state = State.FREE;

    BatchRange cut;
    private BatchMemorySource.@Nullable Piece piece;
    MemorySegment memory = MemorySegment.NULL;
    long capacity;

    private final BatchRows rows;
    private final BatchLayout layout;
    private final ValueReader reader;

    private int samplesPerPiece;
    private int pieces;
    /** Pieces that nobody has taken; negative when all are taken. */
    private final AtomicInteger piecesLeft = new AtomicInteger(-1);

    private final AtomicInteger piecesUnfinished = new AtomicInteger();
    private volatile boolean hasBad;
    private @Nullable RuntimeException failure;
    private int failedRow;

    @SuppressWarnings("NullAway.Init")
    BatchSlot(FeedContext job) {
        this.job = job;
        this.rows = new BatchRows(job);
        this.layout = new BatchLayout(job, rows);
        this.reader = new ValueReader(job, this);
    }

    // ---- planning: by one thread

    /** Finds out which samples the batch has, and where in its memory each value will lie. */
    void plan() {
        failure = null;
        hasBad = false;
        try {
            rows.find(cut);
            layout.layOut();
            reader.advise();
        } catch (StokerException e) {
            fail(0, e);
        }
        samplesPerPiece = samplesPerPiece();
        pieces = failure != null ? 0 : (rows.count() + samplesPerPiece - 1) / samplesPerPiece;
    }

    private int samplesPerPiece() {
        if (cut.mode().isPositional()) {
            return 1; // so that as many reads as there are threads are in flight
        }
        long bytesPerSample = Math.max(1, layout.bytes() / Math.max(1, rows.count()));
        int samplesPerThread = rows.count() / (2 * job.threads(cut.mode()));
        return Math.clamp(PIECE_BYTES / bytesPerSample, 1, Math.max(1, samplesPerThread));
    }

    /** The memory that the planned batch needs. */
    long bytes() {
        return failure == null ? layout.bytes() : 0;
    }

    void allocate(long size) {
        free();
        try {
            attach(job.memory().allocate(size));
        } catch (OutOfMemoryError e) {
            refuse(new StokerException(
                    "a batch needs " + size + " bytes outside the heap, which the system does not give ("
                            + e.getMessage() + "); use smaller batches, fewer of them ahead, or more memory",
                    e));
        }
    }

    /** Takes memory that nobody else uses. */
    void attach(BatchMemorySource.Piece fresh) {
        free();
        piece = fresh;
        memory = fresh.bytes();
        capacity = memory.byteSize();
    }

    /** Lets go of the memory without giving it back: from here on it is the caller's; null if there is none. */
    BatchMemorySource.@Nullable Piece detach() {
        BatchMemorySource.Piece own = piece;
        piece = null;
        memory = MemorySegment.NULL;
        capacity = 0;
        return own;
    }

    /** Each goes on with the memory of the other; nobody reads or holds a batch in either. */
    void swapMemory(BatchSlot other) {
        BatchMemorySource.Piece ownPiece = piece;
        MemorySegment ownMemory = memory;
        long ownCapacity = capacity;
        piece = other.piece;
        memory = other.memory;
        capacity = other.capacity;
        other.piece = ownPiece;
        other.memory = ownMemory;
        other.capacity = ownCapacity;
    }

    /** The planned batch cannot be read at all. */
    void refuse(StokerException e) {
        fail(0, e);
        pieces = 0;
    }

    /** Gives the memory back; the slot can be used again. */
    void free() {
        BatchMemorySource.Piece own = detach();
        if (own != null) {
            own.close();
        }
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

    /**
     * Takes pieces until there are none; returns true if this thread finished the last one. A thread that is late may
     * find the slot used for its next batch: then it takes pieces of that one, which is as good.
     */
    boolean work(ReaderThread thread) {
        boolean finishedLast = false;
        int left;
        while (!finishedLast && (left = piecesLeft.decrementAndGet()) >= 0) {
            int from = (pieces - 1 - left) * samplesPerPiece;
            readPiece(from, Math.min(rows.count(), from + samplesPerPiece), thread);
            finishedLast = piecesUnfinished.decrementAndGet() == 0;
        }
        return finishedLast;
    }

    private void readPiece(int from, int to, ReaderThread thread) {
        var event = new ReadEvent();
        event.begin();
        long before = System.nanoTime();
        for (int row = from; row < to; row++) {
            thread.timeDecoding(row == from);
            read(row, thread);
        }
        long decoded = thread.pieceDone(System.nanoTime() - before, to - from);
        event.end();
        if (event.shouldCommit()) {
            event.samples = to - from;
            event.batchBytes = rows.bytes();
            event.decodeNanos = decoded;
            event.commit();
        }
    }

    private void read(int row, ReaderThread thread) {
        try {
            reader.read(row, thread);
        } catch (RuntimeException e) {
            bad(row, e);
        }
    }

    private void bad(int row, RuntimeException e) {
        String reason = e.getMessage() == null ? e.toString() : e.getMessage();
        if (job.badPolicy() == BadPolicy.FAIL || e instanceof ChangedFileException || e instanceof RemoteException) {
            fail(
                    row,
                    e instanceof StokerException
                            ? e
                            : new StokerException(
                                    job.describe(rows.place(row)) + " cannot be decoded: " + reason + REMEDY, e));
        } else {
            job.bad().add(rows.place(row), reason);
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
            layout.writeOffsets(memory);
        }
        return true;
    }

    // ---- consuming: by the consumer

    @Nullable
    RuntimeException failure() {
        return failure;
    }

    BatchRows rows() {
        return rows;
    }

    BatchLayout layout() {
        return layout;
    }

    @Override
    public void close() {
        rows.release();
        free();
    }
}
