package dev.stoker.bench.sweep;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One pass of a feed over the samples, or several without a stop.
 *
 * @param bytes that were delivered
 * @param cpuSeconds that the whole process computed
 * @param waits how long each batch was waited for, in microseconds, sorted; of very many an even choice with the longest
 * @param memoryBytes of the process at the end that are no file: heap, buffers, and the JVM itself
 * @param bufferBytes of these, what the feed's batches took
 * @param digest as in {@link SweepSize}; 0 if it was not asked for
 */
record Pass(
        long samples,
        long bytes,
        double seconds,
        double cpuSeconds,
        double[] waits,
        long memoryBytes,
        long bufferBytes,
        long digest) {
    /** Of more batches, an even choice says as much. */
    static final int MOST_WAITS = 1000;

    double samplesPerSecond() {
        return samples / seconds;
    }

    /** At most {@link #MOST_WAITS} of some waits, sorted. */
    static double[] thinned(double[] waits) {
        double[] sorted = waits.clone();
        Arrays.sort(sorted);
        if (sorted.length <= MOST_WAITS) {
            return sorted;
        }
        var thinned = new double[MOST_WAITS];
        for (int i = 0; i < MOST_WAITS; i++) {
            thinned[i] = sorted[(int) ((long) i * (sorted.length - 1) / (MOST_WAITS - 1))];
        }
        return thinned;
    }

    Map<String, @Nullable Object> toJson() {
        var values = new LinkedHashMap<String, @Nullable Object>();
        values.put("samples", samples);
        values.put("bytes", bytes);
        values.put("seconds", seconds);
        values.put("cpu_seconds", cpuSeconds);
        values.put("waits", Arrays.stream(waits).boxed().toList());
        values.put("memory_bytes", memoryBytes);
        values.put("buffer_bytes", bufferBytes);
        values.put("digest", digest);
        return values;
    }

    /** What {@link #toJson} wrote. */
    static Pass of(Message message) {
        return new Pass(
                message.number("samples"),
                message.number("bytes"),
                message.real("seconds"),
                message.real("cpu_seconds"),
                message.reals("waits"),
                message.number("memory_bytes"),
                message.number("buffer_bytes"),
                message.number("digest"));
    }
}
