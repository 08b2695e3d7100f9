package dev.stoker.stage.copy;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.concurrent.WorkerPool;
import dev.stoker.os.FileErrors;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Brings data to its place with many threads. Every piece is read back and compared with what was read from the source;
 * then the journal notes it. Pieces that an earlier process brought, and that are still as the journal says, stay.
 */
public final class Copier {
    /** Workers wait for the source's storage most of the time. */
    private static final int WORKERS = 32;

    private final CopyPlan plan;
    private final Path to;
    private final CopyJournal journal;
    private final Progress progress;

    public Copier(CopyPlan plan, Path to, CopyJournal journal, Progress progress) {
        this.plan = plan;
        this.to = to;
        this.journal = journal;
        this.progress = progress;
    }

    /** One thread's part. */
    private final class Worker implements WorkerPool.Worker {
        private final Arena arena = Arena.ofShared();
        private final MemorySegment buffer = arena.allocate(CopyPlan.BUFFER_BYTES);

        @Override
        public void work(long piece) {
            try {
                if (!isThere(piece)) {
                    int read = plan.carry(piece, to, buffer);
                    requireSame(piece, read, plan.check(piece, to, buffer));
                    journal.done(piece, read);
                }
                progress.add(1, plan.bytes(piece));
            } catch (IOException e) {
                throw FileErrors.cannotWrite(to, e);
            }
        }

        private boolean isThere(long piece) {
            try {
                return journal.has(piece) && journal.has(piece, plan.check(piece, to, buffer));
            } catch (IOException e) {
                return false; // missing, or not whole
            }
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    private void requireSame(long piece, int read, int written) {
        if (read != written) {
            throw new StokerException(
                    to,
                    "piece " + piece + " reads back with CRC32C "
                            + Integer.toHexString(written) + " but should have " + Integer.toHexString(read)
                            + "; the memory or disk of this node is faulty");
        }
    }

    /** What an earlier process brought, by its own word. */
    public long noted() {
        long bytes = 0;
        for (long piece = 0; piece < plan.pieces(); piece++) {
            bytes += journal.has(piece) ? plan.bytes(piece) : 0;
        }
        return bytes;
    }

    long bytes() {
        long bytes = 0;
        for (long piece = 0; piece < plan.pieces(); piece++) {
            bytes += plan.bytes(piece);
        }
        return bytes;
    }

    public void run() {
        progress.begin("copying", plan.pieces(), bytes());
        try {
            plan.prepare(to);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(to, e);
        }
        WorkerPool.run(WORKERS, plan.pieces(), Worker::new);
    }
}
