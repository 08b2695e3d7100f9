package dev.stoker.fuzz;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Ends the process when an input does not, or fills memory outside the heap: nothing else stops a loop, or bounds that memory.
 * Says where it was, and keeps the input.
 */
public final class Watchdog {
    private static final long SLOW_NANOS = 1_000_000_000L;
    private static final long MAX_CPU_NANOS = 20_000_000_000L;
    private static final long MAX_NANOS = 300_000_000_000L;
    private static final long MAX_RESIDENT_BYTES = Runtime.getRuntime().maxMemory() + (1L << 30);
    private static final Path STATUS = Path.of("/proc/self/status");

    private final Path folder;
    private final Thread watched = Thread.currentThread();
    private volatile @Nullable Running running;

    /** One input; the same object as long as it is read. */
    private static final class Running {
        final Target target;
        final byte[] input;
        final long nanos = System.nanoTime();
        volatile StackTraceElement @Nullable [] slowAt;

        Running(Target target, byte[] input) {
            this.target = target;
            this.input = input;
        }
    }

    /** Watches the thread that makes it. */
    public Watchdog(Path folder) {
        this.folder = folder;
        Thread.ofPlatform().daemon().name("watchdog").start(this::watch);
    }

    void begin(Target target, byte[] input) {
        running = new Running(target, input);
    }

    /** Where an input was when it took long; null if it did not. */
    StackTraceElement @Nullable [] end() {
        Running done = running;
        running = null;
        return done == null ? null : done.slowAt;
    }

    private void watch() {
        Running seen = null;
        long cpuThen = 0;
        while (true) {
            Running now = running;
            long cpu = ManagementFactory.getThreadMXBean().getThreadCpuTime(watched.threadId());
            if (now == null || now != seen) {
                seen = now;
                cpuThen = cpu;
            } else if (cpu - cpuThen > MAX_CPU_NANOS || System.nanoTime() - now.nanos > MAX_NANOS) {
                stop(now, "does not end");
            } else if (residentBytes() > MAX_RESIDENT_BYTES) {
                stop(now, "takes more than " + (MAX_RESIDENT_BYTES >> 20) + " MB of memory");
            } else if (cpu - cpuThen > SLOW_NANOS && now.slowAt == null) {
                now.slowAt = watched.getStackTrace();
            }
            try {
                Thread.sleep(200);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** What the process has in memory, with what lies outside the heap; 0 where the system does not say. */
    private static long residentBytes() {
        try {
            for (String line : Files.readAllLines(STATUS)) {
                if (line.startsWith("VmRSS:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) << 10; // in kB
                }
            }
            return 0;
        } catch (IOException e) {
            return 0;
        }
    }

    private void stop(Running hanging, String why) {
        Path kept = folder.resolve(hanging.target.name() + "-stopped");
        try {
            Files.createDirectories(folder);
            Files.write(kept, hanging.input);
        } catch (IOException e) {
            System.err.println(e);
        }
        System.err.println(hanging.target.name() + ' ' + why + "; the input is " + kept);
        for (StackTraceElement frame : watched.getStackTrace()) {
            System.err.println("    at " + frame);
        }
        Runtime.getRuntime().halt(1);
    }
}
