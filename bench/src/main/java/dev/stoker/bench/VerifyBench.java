package dev.stoker.bench;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.concurrent.WorkerPool;
import dev.stoker.container.Container;
import dev.stoker.io.InputFile;
import dev.stoker.os.FileErrors;
import dev.stoker.os.Posix;
import dev.stoker.verify.Verifier;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Verifies a container, and beside it reads the same file from front to back and does nothing with it: the same threads,
 * in turn, medians.
 */
public final class VerifyBench {
    private static final long STRETCH = 16 << 20;
    private static final long BUFFER_BYTES = 1 << 20;

    private VerifyBench() {}

    /** @param ratio the median of each turn's ratio of the two times */
    public record Result(long bytes, double bareSeconds, double verifySeconds, double ratio) {}

    /** @param cold whether the page cache forgets the file before each pass */
    public static Result run(Path path, int threads, int repeats, boolean cold) {
        var bare = new double[repeats];
        var verified = new double[repeats];
        var ratios = new double[repeats];
        // The first turn is for the compiler.
        for (int turn = -1; turn < repeats; turn++) {
            double reading = timed(path, cold, () -> read(path, threads));
            double verifying = timed(path, cold, () -> verify(path, threads));
            if (turn >= 0) {
                bare[turn] = reading;
                verified[turn] = verifying;
                ratios[turn] = reading / verifying;
            }
        }
        try (InputFile file = InputFile.open(path)) {
            return new Result(
                    file.size(), Statistics.median(bare), Statistics.median(verified), Statistics.median(ratios));
        }
    }

    private static double timed(Path path, boolean cold, Runnable work) {
        if (cold) {
            forget(path);
        }
        long start = System.nanoTime();
        work.run();
        return (System.nanoTime() - start) / 1e9;
    }

    private static void forget(Path path) {
        try {
            int file = Posix.open(Posix.HERE, path.toString().getBytes(StandardCharsets.UTF_8));
            Posix.dropCached(file);
            Posix.close(file);
        } catch (IOException e) {
            throw FileErrors.cannotRead(path, e);
        }
    }

    private static void read(Path path, int threads) {
        try (InputFile file = InputFile.open(path)) {
            WorkerPool.run(threads, Math.ceilDiv(file.size(), STRETCH), () -> new WorkerPool.Worker() {
                private final Arena arena = Arena.ofConfined();
                private final MemorySegment buffer = arena.allocate(BUFFER_BYTES, 4096);

                @Override
                public void work(long piece) {
                    long end = Math.min(file.size(), (piece + 1) * STRETCH);
                    for (long at = piece * STRETCH; at < end; at += BUFFER_BYTES) {
                        file.readFully(at, buffer.asSlice(0, Math.min(BUFFER_BYTES, end - at)));
                    }
                }

                @Override
                public void close() {
                    arena.close();
                }
            });
        }
    }

    private static void verify(Path path, int threads) {
        try (Container container = Container.open(path)) {
            Verifier.Report report = Verifier.verify(container, threads, new Progress());
            if (!report.isIntact()) {
                throw new StokerException(
                        path, "is damaged: " + report.listed().getFirst().reason());
            }
        }
    }
}
