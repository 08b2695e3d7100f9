package dev.stoker.metric;

import dev.stoker.block.BlockCache;
import dev.stoker.os.AvailableCores;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** This process as the system sees it, and what all its feeds share. Looked at once for each snapshot. */
final class ProcessMetrics implements Measurable {
    private static final Path SELF = Path.of("/proc/self");
    private static final int MAJOR_FAULTS = 12 - 3;
    /** How the threads of feeds are called; those that compile, for instance, say nothing of the feed. */
    private static final String READERS = "stoker-feed-";

    private final long start = System.nanoTime();
    private final AtomicLong lost = new AtomicLong();
    /** Of each thread that lives, what the system said last: what it says of one that ended is gone. */
    private Map<String, Ran> before = new HashMap<>();

    private long cpuNanos;
    private long delayNanos;
    private long faults;

    /** How long a thread ran, and how long it could have. */
    private record Ran(long cpuNanos, long delayNanos) {
        static final Ran NOT = new Ran(0, 0);
    }

    void lost() {
        lost.incrementAndGet();
    }

    /** Asks the system. What it does not tell stays 0. */
    synchronized void update() {
        try {
            String stat = Files.readString(SELF.resolve("stat"));
            faults = Long.parseLong(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[MAJOR_FAULTS]);
        } catch (IOException | RuntimeException e) {
            faults = 0;
        }
        var now = new HashMap<String, Ran>();
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(SELF.resolve("task"))) {
            for (Path thread : threads) {
                now.put(thread.getFileName().toString(), ran(thread));
            }
        } catch (IOException e) {
            return;
        }
        now.forEach((thread, ran) -> {
            Ran last = before.getOrDefault(thread, Ran.NOT);
            cpuNanos += Math.max(0, ran.cpuNanos - last.cpuNanos);
            delayNanos += Math.max(0, ran.delayNanos - last.delayNanos);
        });
        before = now;
    }

    private static Ran ran(Path thread) {
        try {
            if (!Files.readString(thread.resolve("comm")).startsWith(READERS)) {
                return Ran.NOT;
            }
            String[] numbers =
                    Files.readString(thread.resolve("schedstat")).strip().split(" ");
            return new Ran(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
        } catch (IOException | RuntimeException e) {
            return Ran.NOT; // it has just ended, or the system does not count it
        }
    }

    @Override
    public synchronized long now(Metric metric) {
        BlockCache cache = BlockCache.SHARED;
        return switch (metric) {
            case PROCESS_SECONDS -> System.nanoTime() - start;
            case PROCESS_CPU -> AvailableCores.busyNanos();
            case PROCESS_READ_CPU -> cpuNanos;
            case PROCESS_DELAY -> delayNanos;
            case PROCESS_FAULTS -> faults;
            case PROCESS_CORES -> AvailableCores.allocated();
            case BLOCK_HITS -> cache.hits();
            case BLOCK_MISSES -> cache.decodings();
            case BLOCK_DECODE -> cache.decodeNanos();
            case BLOCK_BYTES -> cache.bytes();
            case LOST -> lost.get();
            default -> 0;
        };
    }
}
