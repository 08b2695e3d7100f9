package dev.stoker.format;

import dev.stoker.io.Checksum;
import dev.stoker.sample.Samples;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Values that a plan has to know, as keys and labels: read whole, onto the heap. One of these reads those of one field,
 * sample after sample, through memory of its own; for one thread.
 */
public final class SmallValues {
    private static final long ROOM = 256;

    private final Samples samples;
    private final int field;
    /** Outside the heap: a source may read by a system call. */
    private MemorySegment memory = Arena.ofAuto().allocate(ROOM);

    public SmallValues(Samples samples, int field) {
        this.samples = samples;
        this.field = field;
    }

    public byte[] read(long sample) {
        long length = samples.length(sample, field);
        if (length > memory.byteSize()) {
            memory = Arena.ofAuto().allocate(Math.max(length, 2 * memory.byteSize()));
        }
        MemorySegment value = memory.asSlice(0, length);
        return read(samples, sample, field, value);
    }

    /** Reads one value alone. */
    public static byte[] read(Samples samples, long sample, int field) {
        try (var arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(samples.length(sample, field));
            return read(samples, sample, field, value);
        }
    }

    private static byte[] read(Samples samples, long sample, int field, MemorySegment value) {
        samples.read(sample, field, 0, value);
        samples.verify(sample, field, () -> Checksum.of(value));
        return value.toArray(ValueLayout.JAVA_BYTE);
    }
}
