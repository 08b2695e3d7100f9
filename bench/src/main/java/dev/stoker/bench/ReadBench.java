package dev.stoker.bench;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.index.Column;
import dev.stoker.index.Placement;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/**
 * How fast values come out of a container through its Index, and how fast a bare copy of the very same bytes is: both
 * into the same buffers, in the same order, in turn. The ratio says what the Index costs.
 */
public final class ReadBench {
    private static final long MOST_COPIED = 1 << 28;

    private static final long USUAL_PASS_NANOS = 200_000_000;

    private final Container container;
    private final int field;
    private final Settings settings;
    private final long[] order;
    /** The extents of the values in the order of reading: what a bare copy needs to know. */
    private final long[] offsets;

    private final long[] lengths;
    private final MemorySegment bytes;
    private final long bytesPerPass;
    private int loops = 1;

    /**
     * What to measure.
     *
     * @param repeats passes of each contestant; the medians are reported
     * @param passNanos how long a pass takes at least: a shorter one is more easily disturbed
     */
    public record Settings(int threads, boolean shuffled, int repeats, long seed, long passNanos) {
        public Settings(int threads, boolean shuffled, int repeats, long seed) {
            this(threads, shuffled, repeats, seed, USUAL_PASS_NANOS);
        }
    }

    /**
     * What was measured: medians over the repeats.
     *
     * @param limitSamplesPerSecond of the bare copy
     * @param ratio the median of reading over the bare copy, pass by pass
     */
    public record Result(
            long samples,
            long bytes,
            double samplesPerSecond,
            double bytesPerSecond,
            double limitSamplesPerSecond,
            double ratio,
            double ratioLowest,
            double ratioHighest) {}

    private ReadBench(Container container, int field, Settings settings) {
        this.container = container;
        this.field = field;
        this.settings = settings;
        int count = Math.toIntExact(Math.min(container.count(), 1 << 26));
        this.order = order(count);
        this.offsets = new long[count];
        this.lengths = new long[count];
        long sum = 0;
        Column column = container.column(field);
        for (int i = 0; i < count; i++) {
            offsets[i] = column.offset(order[i]);
            lengths[i] = column.length(order[i]);
            sum += lengths[i];
        }
        this.bytesPerPass = sum;
        this.bytes = container.isInBlocks(field) ? asMany(sum) : container.bytes(field);
    }

    /** For values in blocks, which lie decoded in no file: memory to copy as many bytes from. */
    private MemorySegment asMany(long sum) {
        long longest = Arrays.stream(lengths).max().orElse(0);
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(longest, Math.min(sum, MOST_COPIED)) + 1);
        for (int i = 0; i < offsets.length; i++) {
            offsets[i] %= memory.byteSize() - lengths[i];
        }
        return memory;
    }

    public static Result run(Container container, int field, Settings settings) {
        if (container.count() == 0) {
            throw new StokerException(container.path(), "is empty: there is nothing to read");
        }
        if (container.index().placement(field).place() == Placement.Place.TREE) {
            throw new StokerException(container.path(), "is a folder: there is no one file to copy from");
        }
        return new ReadBench(container, field, settings).measure();
    }

    private long[] order(int count) {
        var random = new SplittableRandom(settings.seed());
        var shuffled = new long[count];
        for (int i = 0; i < count; i++) {
            int j = settings.shuffled() ? random.nextInt(i + 1) : i;
            shuffled[i] = shuffled[j];
            shuffled[j] = i;
        }
        return shuffled;
    }

    private Result measure() {
        pass(true);
        while (pass(false) < settings.passNanos() && loops < 1 << 20) {
            loops *= 2;
        }
        pass(true);
        int repeats = settings.repeats();
        var read = new double[repeats];
        var bare = new double[repeats];
        var ratios = new double[repeats];
        for (int r = 0; r < repeats; r++) {
            // Who goes first alternates: the second finds warmer caches.
            boolean readFirst = r % 2 == 0;
            double first = pass(readFirst);
            double second = pass(!readFirst);
            read[r] = readFirst ? first : second;
            bare[r] = readFirst ? second : first;
            ratios[r] = bare[r] / read[r];
        }
        double work = (double) order.length * loops;
        double seconds = Statistics.median(read) / 1e9;
        return new Result(
                order.length,
                bytesPerPass,
                work / seconds,
                (double) bytesPerPass * loops / seconds,
                work / (Statistics.median(bare) / 1e9),
                Statistics.median(ratios),
                Arrays.stream(ratios).min().orElseThrow(),
                Arrays.stream(ratios).max().orElseThrow());
    }

    /** One pass over all values by all threads; returns its nanoseconds. */
    private long pass(boolean throughIndex) {
        int threads = settings.threads();
        var ready = new CountDownLatch(threads);
        var go = new CountDownLatch(1);
        var team = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            int thread = t;
            team[t] = Thread.ofPlatform().daemon().start(() -> {
                try (var arena = Arena.ofConfined()) {
                    MemorySegment buffer = arena.allocate(
                            Math.max(8, Arrays.stream(lengths).max().orElse(8)), 64);
                    ready.countDown();
                    await(go);
                    for (int loop = 0; loop < loops; loop++) {
                        if (throughIndex) {
                            read(buffer, thread);
                        } else {
                            copy(buffer, thread);
                        }
                    }
                }
            });
        }
        await(ready);
        long start = System.nanoTime();
        go.countDown();
        for (Thread member : team) {
            join(member);
        }
        return System.nanoTime() - start;
    }

    private void read(MemorySegment buffer, int thread) {
        for (int i = thread; i < order.length; i += settings.threads()) {
            MemorySegment value = container.value(order[i], field);
            MemorySegment.copy(value, 0, buffer, 0, value.byteSize());
        }
    }

    private void copy(MemorySegment buffer, int thread) {
        for (int i = thread; i < order.length; i += settings.threads()) {
            MemorySegment.copy(bytes, offsets[i], buffer, 0, lengths[i]);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new StokerException("interrupted", e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new StokerException("interrupted", e);
        }
    }
}
