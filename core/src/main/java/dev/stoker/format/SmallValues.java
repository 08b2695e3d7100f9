package dev.stoker.format;

import dev.stoker.sample.Samples;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Values that a plan has to know, as keys and labels: read whole, onto the heap. */
public final class SmallValues {
    private SmallValues() {}

    public static byte[] read(Samples samples, long sample, int field) {
        try (var arena = Arena.ofConfined()) {
            // Outside the heap first: a source may read by a system call.
            MemorySegment value = arena.allocate(samples.length(sample, field));
            samples.read(sample, field, 0, value);
            return value.toArray(ValueLayout.JAVA_BYTE);
        }
    }
}
