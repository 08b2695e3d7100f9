package dev.stoker.format;

import dev.stoker.sample.Samples;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory of one thread into which values are read piece by piece, past any mapping, before something looks at them. */
public final class ReadBuffers implements AutoCloseable {
    public static final long BYTES = 1 << 20;

    private final Arena arena = Arena.ofConfined();
    public final MemorySegment one = arena.allocate(BYTES);
    private final MemorySegment other = arena.allocate(BYTES);

    /** One field of one sample. */
    public record Value(Samples samples, long sample, int field) {
        private void read(long from, MemorySegment to) {
            samples.read(sample, field, from, to);
        }
    }

    /** Whether two values, which both have so many bytes, are the same. */
    public boolean areSame(Value left, Value right, long length) {
        for (long at = 0; at < length; at += BYTES) {
            long part = Math.min(BYTES, length - at);
            left.read(at, one.asSlice(0, part));
            right.read(at, other.asSlice(0, part));
            if (MemorySegment.mismatch(one, 0, part, other, 0, part) >= 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        arena.close();
    }
}
