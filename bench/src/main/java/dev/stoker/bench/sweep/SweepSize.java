package dev.stoker.bench.sweep;

import dev.stoker.io.Checksum;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.LongStream;

/**
 * What every pass over the samples has to deliver. Keys are not counted: no training gets them, and not every format keeps
 * them.
 *
 * @param longest the most bytes of one sample
 * @param isFixed whether all samples have the same number of bytes
 * @param digest the sum of all values' checksums, which does not depend on the order
 */
record SweepSize(long samples, long bytes, long longest, boolean isFixed, long digest) {
    /** Reads all samples once. */
    static SweepSize of(Samples samples) {
        Schema schema = samples.schema();
        long bytes = 0;
        long longest = 0;
        long shortest = Long.MAX_VALUE;
        for (long i = 0; i < samples.count(); i++) {
            long length = 0;
            for (int f = 0; f < schema.size(); f++) {
                length += isCounted(schema.fields().get(f)) ? samples.length(i, f) : 0;
            }
            bytes += length;
            longest = Math.max(longest, length);
            shortest = Math.min(shortest, length);
        }
        long digest = LongStream.range(0, samples.count())
                .parallel()
                .map(i -> digest(samples, i))
                .sum();
        return new SweepSize(samples.count(), bytes, longest, shortest == longest, digest);
    }

    private static long digest(Samples samples, long sample) {
        long sum = 0;
        for (int f = 0; f < samples.schema().size(); f++) {
            Field field = samples.schema().fields().get(f);
            if (isCounted(field)) {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment value = arena.allocate(samples.length(sample, f));
                    samples.read(sample, f, 0, value);
                    sum += digest(field, value);
                }
            }
        }
        return sum;
    }

    /** What one value adds to the digest; the same bytes in another field add something else. */
    static long digest(Field field, MemorySegment value) {
        return Integer.toUnsignedLong(Checksum.of(value)) * (2L * field.name().hashCode() + 1);
    }

    static boolean isCounted(Field field) {
        return !field.name().equals(Field.KEY);
    }

    /** The fields that are read. */
    static List<String> fields(Schema schema) {
        return schema.fields().stream()
                .filter(SweepSize::isCounted)
                .map(Field::name)
                .toList();
    }
}
