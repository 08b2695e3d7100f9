package dev.stoker.bench.advise;

import dev.stoker.StokerException;
import dev.stoker.io.MappedFile;
import dev.stoker.os.Posix;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads some files, or some places of large ones, at random: one after another, then many at once, then those once more.
 * Before the first two the page cache is asked to drop the files, which needs no right but that of reading them.
 */
final class ReadProbe {
    /** Of a large file no more is read at once. */
    private static final long MOST_AT_ONCE = 1 << 20;

    private static final int MOST_READS = 1024;
    private static final long MOST_BYTES = 64L << 20;
    private static final long LARGE_BYTES = 8 << 20;
    private static final int PROBES = 64;
    private static final double MOST_LEFT = 0.1;

    /** A place that is read. */
    private record Spot(Path file, long offset, long length) {}

    /** A file that can be read. */
    record Target(Path file, long size) {}

    private ReadProbe() {}

    /**
     * Measures.
     *
     * @param sampleBytes how much is read at once of a file that holds many samples; 0 to read files whole
     * @return null if nothing could be read
     */
    static StorageTrial.@Nullable Reads measure(List<Target> files, long sampleBytes, double seconds) {
        List<Target> some = files.stream().filter(file -> file.size() > 0).toList();
        if (some.isEmpty()) {
            return null;
        }
        List<Spot> spots = spots(some, sampleBytes);
        boolean areFew = spots.size() < 4 * StorageTrial.MANY;
        // Of few files all are read both times; else each part is new to the cache of what the storage knows.
        int half = areFew ? spots.size() : spots.size() / 4;
        List<Spot> first = spots.subList(0, half);
        List<Spot> second = spots.subList(areFew ? 0 : half, spots.size());
        double part = seconds / 4;
        boolean isCold = drop(first);
        StorageTrial.Pace one = read(1, first, part);
        isCold &= drop(second);
        StorageTrial.Pace many = read(StorageTrial.MANY, second, part);
        StorageTrial.Pace again = read(StorageTrial.MANY, second, part);
        if (one == null || many == null || again == null) {
            return null;
        }
        return new StorageTrial.Reads(one, many, again, sequential(some, part), isCold);
    }

    private static List<Spot> spots(List<Target> files, long sampleBytes) {
        var random = new SplittableRandom(1);
        var spots = new ArrayList<Spot>();
        long bytes = 0;
        long wanted = sampleBytes > 0 ? sampleBytes : Long.MAX_VALUE;
        // A few large files have many places; of many small ones each is one.
        int rounds = sampleBytes > 0 || files.size() < StorageTrial.MANY ? MOST_READS : 1;
        for (int round = 0; round < rounds; round++) {
            for (Target file : files) {
                long length = Math.min(Math.min(wanted, file.size()), MOST_AT_ONCE);
                if (spots.size() == MOST_READS || bytes + length > MOST_BYTES && !spots.isEmpty()) {
                    return spots;
                }
                long blocks = (file.size() - length) / 4096;
                spots.add(new Spot(file.file, blocks == 0 ? 0 : random.nextLong(blocks) * 4096, length));
                bytes += length;
            }
            if (round == 0 && files.stream().allMatch(file -> file.size() <= MOST_AT_ONCE) && sampleBytes == 0) {
                return spots;
            }
        }
        return spots;
    }

    /** Reads files whole, many at once; null if nothing could be read. */
    static StorageTrial.@Nullable Pace readWhole(List<Target> files, double seconds) {
        List<Spot> spots =
                files.stream().map(file -> new Spot(file.file, 0, file.size)).toList();
        return read(StorageTrial.MANY, spots, seconds);
    }

    /** Null if nothing could be read. */
    private static StorageTrial.@Nullable Pace read(int threads, List<Spot> spots, double seconds) {
        var bytes = new AtomicLong();
        var reads = new AtomicLong();
        FixedPool.Done done = FixedPool.run(threads, spots.size(), Deadline.after(seconds), i -> {
            long read = read(spots.get(i));
            if (read > 0) {
                bytes.addAndGet(read);
                reads.incrementAndGet();
            }
        });
        return reads.get() == 0
                ? null
                : new StorageTrial.Pace(reads.get() / done.seconds(), bytes.get() / done.seconds());
    }

    /** How many bytes were read; 0 if the file is gone or closed, which those who list files report. */
    private static long read(Spot spot) {
        try (Arena arena = Arena.ofConfined()) {
            int file = Posix.open(Posix.HERE, name(spot.file));
            try {
                MemorySegment buffer = arena.allocate(Math.min(spot.length, MOST_AT_ONCE));
                long read = 0;
                long more = buffer.byteSize();
                while (read < spot.length && more == buffer.byteSize()) {
                    more = Posix.read(file, buffer, spot.offset + read);
                    read += more;
                }
                return Math.min(read, spot.length);
            } finally {
                Posix.close(file);
            }
        } catch (IOException e) {
            return 0;
        }
    }

    /** From front to back in the largest file. */
    private static double sequential(List<Target> files, double seconds) {
        Target largest =
                files.stream().max(Comparator.comparingLong(Target::size)).orElseThrow();
        if (largest.size < LARGE_BYTES) {
            return 0;
        }
        var spots = new ArrayList<Spot>();
        for (long at = 0; at + MOST_AT_ONCE <= Math.min(largest.size, MOST_BYTES); at += MOST_AT_ONCE) {
            spots.add(new Spot(largest.file, at, MOST_AT_ONCE));
        }
        drop(spots);
        StorageTrial.Pace pace = read(1, spots, seconds);
        return pace == null ? 0 : pace.bytes();
    }

    /** Asks the system to forget the files; returns whether nearly all of what was looked at is gone. */
    private static boolean drop(List<Spot> spots) {
        int left = 0;
        int probes = 0;
        for (Spot spot : spots) {
            try {
                int file = Posix.open(Posix.HERE, name(spot.file));
                try {
                    Posix.dropCached(file);
                } finally {
                    Posix.close(file);
                }
                if (probes < PROBES) {
                    probes++;
                    left += isCached(spot) ? 1 : 0;
                }
            } catch (IOException | StokerException e) {
                // It is gone, or closed.
            }
        }
        return left <= MOST_LEFT * probes;
    }

    private static boolean isCached(Spot spot) {
        try (MappedFile mapped = MappedFile.open(spot.file)) {
            return mapped.size() > spot.offset && Posix.isResident(mapped.bytes(), spot.offset, 1);
        }
    }

    private static byte[] name(Path file) {
        return file.toString().getBytes(StandardCharsets.UTF_8);
    }
}
