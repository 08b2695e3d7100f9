package dev.stoker.bench.sweep;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Function;

/**
 * The values that each setting takes. The first ones are the base; every other one is measured as a change of the base, so
 * that its effect stands alone and a sweep takes no longer than the sum of its lists.
 *
 * @param batch empty for what suits the samples
 */
public record SettingChoices(
        List<Boolean> mmap,
        List<Boolean> fixedLength,
        List<Boolean> shuffle,
        List<Integer> workers,
        List<Integer> batch,
        List<Boolean> cold) {
    private static final int BATCH = 64;
    /** A batch should not be larger by itself: several are read ahead. */
    private static final long BATCH_BYTES = 32L << 20;

    /** Powers of two up to twice the cores, the cores themselves first. */
    public static List<Integer> workerCurve(int cores) {
        var curve = new LinkedHashSet<Integer>();
        curve.add(cores);
        for (int workers = 1; workers <= 2 * cores; workers *= 2) {
            curve.add(workers);
        }
        return List.copyOf(curve);
    }

    /** The same for given samples: their lengths are what they are, and a batch should fit. */
    SettingChoices suiting(Workload workload, SweepSize census) {
        long mean = Math.max(1, census.bytes() / census.samples());
        long fitting = Math.clamp(BATCH_BYTES / mean, 1, Math.min(BATCH, census.samples()));
        return new SettingChoices(
                mmap,
                workload.isGenerated() ? fixedLength : List.of(census.isFixed()),
                shuffle,
                workers,
                batch.isEmpty() ? List.of((int) fitting) : batch,
                cold);
    }

    /** The base, then every change of it. */
    List<Setting> settings() {
        var base = new Setting(
                mmap.getFirst(),
                fixedLength.getFirst(),
                shuffle.getFirst(),
                workers.getFirst(),
                batch.getFirst(),
                cold.getFirst());
        var settings = new LinkedHashSet<Setting>();
        settings.add(base);
        add(settings, mmap, base::withMmap);
        add(settings, fixedLength, base::withFixedLength);
        add(settings, shuffle, base::withShuffle);
        add(settings, workers, base::withWorkers);
        add(settings, batch, base::withBatch);
        add(settings, cold, base::withCold);
        return new ArrayList<>(settings);
    }

    private static <T> void add(LinkedHashSet<Setting> settings, List<T> values, Function<T, Setting> change) {
        values.stream().map(change).forEach(settings::add);
    }
}
