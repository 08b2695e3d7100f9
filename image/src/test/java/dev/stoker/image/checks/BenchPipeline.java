package dev.stoker.image.checks;

import dev.stoker.image.DType;
import dev.stoker.image.ImagePipeline;
import dev.stoker.image.Layout;
import dev.stoker.image.PipelineWorker;
import dev.stoker.image.kernel.Kernels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Photos per second: {@code BenchPipeline LIST-OF-FILES CHAIN THREADS ROUNDS [DTYPE]}. Prints per round the rate by the clock and the
 * processor time per photo, which other work on the machine disturbs less.
 */
public final class BenchPipeline {
    private BenchPipeline() {}

    public static void main(String[] args) throws Exception {
        List<String> names = Files.readAllLines(Path.of(args[0]));
        int threads = Integer.parseInt(args[2]);
        DType dtype = args.length > 4 ? DType.valueOf(args[4]) : DType.UINT8;
        ImagePipeline pipeline = ImagePipeline.parse(args[1], Layout.CHW, dtype);
        MemorySegment[] files = new MemorySegment[names.size()];
        for (int i = 0; i < files.length; i++) {
            byte[] bytes = Files.readAllBytes(Path.of(names.get(i)));
            files[i] = Arena.global().allocate(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
        }
        MemorySegment batch = Arena.global().allocate(64 * pipeline.outputBytes());
        PipelineWorker[] workers = new PipelineWorker[threads];
        for (int t = 0; t < threads; t++) {
            workers[t] = pipeline.worker();
        }
        for (int round = 0; round < Integer.parseInt(args[3]); round++) {
            AtomicLong cpu = new AtomicLong();
            long start = System.nanoTime();
            Thread[] running = new Thread[threads];
            for (int t = 0; t < threads; t++) {
                int first = t, epoch = round;
                running[t] = Thread.ofPlatform().start(() -> {
                    for (int i = first; i < files.length; i += threads) {
                        workers[first].run(files[i], batch, i % 64 * pipeline.outputBytes(), 1, epoch, i);
                    }
                    cpu.addAndGet(java.lang.management.ManagementFactory.getThreadMXBean()
                            .getCurrentThreadCpuTime());
                });
            }
            for (Thread thread : running) {
                thread.join();
            }
            System.out.printf(
                    "%s, %d threads: %.0f photos/s, %.0f us of processor per photo%n",
                    Kernels.best().name(),
                    threads,
                    files.length * 1e9 / (System.nanoTime() - start),
                    cpu.get() / 1e3 / files.length);
        }
    }
}
