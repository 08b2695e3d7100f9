package dev.stoker.feed;

import dev.stoker.StokerException;
import dev.stoker.dataset.Dataset;
import dev.stoker.dataset.OpenDatasetFile;
import dev.stoker.os.Posix;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The limit of a feed: the same values go into the same memory by as many threads, which do nothing else. Where every
 * value comes from and goes to is known before the clock starts.
 */
final class BareCopy {
    private static final long MAX_BYTES = 4L << 30;
    private static final int MAX_VALUES = 4_000_000;
    private static final long MIN_PASS_NANOS = 20_000_000;
    private static final long ENOUGH_NANOS = 2_000_000_000;
    private static final int PASSES = 25;

    /** The values of one batch, in a memory that other batches use too. */
    private record Copies(
            MemorySegment[] from, int[] files, long[] offsets, long[] lengths, MemorySegment to, long[] at) {}

    private BareCopy() {}

    /** Measures over the first epoch of some cuts, or as much of it as takes seconds. */
    static double samplesPerSecond(FeedContext job, BatchSlot[] slots, BatchPlanner cuts) {
        for (Dataset dataset : job.datasets()) {
            if (!dataset.members().keepsOpen()) {
                return 0; // not all can be open at once, as a bare copy needs them
            }
        }
        var batches = new ArrayList<Copies>();
        long samples = 0;
        long bytes = 0;
        long values = 0;
        ReadMode mode = ReadMode.MAP;
        for (BatchRange cut = cuts.next(); cut != null && bytes < MAX_BYTES && values < MAX_VALUES; cut = cuts.next()) {
            BatchSlot slot = slots[batches.size() % slots.length];
            mode = cut.mode();
            Copies copies = plan(slot, cut);
            if (copies == null) {
                break;
            }
            batches.add(copies);
            samples += slot.rows().count();
            values += copies.lengths.length;
            bytes += Arrays.stream(copies.lengths).sum();
            slot.rows().release();
            if (cut.closesEpoch()) {
                break;
            }
        }
        return values == 0 ? 0 : samples / (medianPass(batches, job.threads(mode)) / 1e9);
    }

    /** Where the values of a batch come from and go to; null if it cannot be copied so. */
    private static @Nullable Copies plan(BatchSlot slot, BatchRange cut) {
        slot.rows().release();
        slot.cut = cut;
        slot.plan();
        BatchRows rows = slot.rows();
        if (slot.failure() != null || slot.bytes() > slot.capacity) {
            rows.release();
            return null;
        }
        int most = rows.count() * slot.layout().fieldCount();
        var from = new MemorySegment[most];
        var files = new int[most];
        var offsets = new long[most];
        var lengths = new long[most];
        var at = new long[most];
        int n = 0;
        try {
            for (int row = 0; row < rows.count(); row++) {
                OpenDatasetFile member = rows.hold(row);
                for (int f = 0; f < slot.layout().fieldCount(); f++) {
                    if (rows.isMissing(f, row) || member.isLoose()) {
                        continue;
                    }
                    int source = rows.source(f, row);
                    boolean isRead = cut.mode().isPositional() && member.isInFile(source);
                    from[n] = member.bytes(source);
                    files[n] = isRead ? member.descriptor() : -1;
                    offsets[n] = member.offset(rows.local(row), source);
                    lengths[n] = Math.min(
                            rows.length(f, row), slot.capacity - slot.layout().start(f, row));
                    at[n++] = slot.layout().start(f, row);
                }
            }
        } catch (IOException e) {
            throw new StokerException("a file cannot be opened: " + e.getMessage(), e);
        }
        return new Copies(
                from, files, Arrays.copyOf(offsets, n), Arrays.copyOf(lengths, n), slot.memory, Arrays.copyOf(at, n));
    }

    /**
     * The median time of passes over all batches, in nanoseconds. A pass is about as long as an epoch of the feed: the
     * medians of short times and of long ones differ on a machine that does other things as well.
     */
    private static double medianPass(List<Copies> batches, int threads) {
        int loops = 1;
        while (time(batches, threads, loops) < MIN_PASS_NANOS && loops < 1 << 20) {
            loops *= 2;
        }
        var nanos = new ArrayList<Double>();
        long start = System.nanoTime();
        while (nanos.size() < PASSES && (nanos.isEmpty() || System.nanoTime() - start < ENOUGH_NANOS)) {
            nanos.add((double) time(batches, threads, loops) / loops);
        }
        nanos.sort(null);
        return nanos.get(nanos.size() / 2);
    }

    private static long time(List<Copies> batches, int threads, int loops) {
        long before = System.nanoTime();
        // Threads take whole batches in turn, so that one that the system holds up does not hold up the others.
        var next = new AtomicLong();
        var team = new ArrayList<Thread>();
        for (int t = 0; t < threads; t++) {
            team.add(Thread.ofPlatform().daemon().start(() -> {
                for (long n = next.getAndIncrement(); n < (long) loops * batches.size(); n = next.getAndIncrement()) {
                    copy(batches.get((int) (n % batches.size())));
                }
            }));
        }
        for (Thread thread : team) {
            join(thread);
        }
        return System.nanoTime() - before;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StokerException("interrupted", e);
        }
    }

    private static void copy(Copies batch) {
        for (int i = 0; i < batch.lengths.length; i++) {
            if (batch.files[i] < 0) {
                MemorySegment.copy(batch.from[i], batch.offsets[i], batch.to, batch.at[i], batch.lengths[i]);
            } else {
                read(batch, i);
            }
        }
    }

    private static void read(Copies batch, int i) {
        try {
            Posix.read(batch.files[i], batch.to.asSlice(batch.at[i], batch.lengths[i]), batch.offsets[i]);
        } catch (IOException e) {
            throw new StokerException("cannot be read: " + e.getMessage(), e);
        }
    }
}
