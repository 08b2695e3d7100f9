package dev.stoker.io;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * Bytes outside the heap that are appended to. One thread appends; when it has finished, any number may read.
 *
 * <p>Grows by doubling, so a segment from {@link #bytes()} is valid only until the next append.
 */
public final class GrowingBuffer implements AutoCloseable {
    private static final long FIRST = 1 << 12;

    /** Made at the first append: many of these never get one, and closing a shared arena stops all threads. */
    private @Nullable Arena arena;

    private MemorySegment bytes = MemorySegment.NULL;
    private long size;

    public long size() {
        return size;
    }

    public MemorySegment bytes() {
        return bytes.asSlice(0, size);
    }

    /** Forgets what was added, and keeps the memory. */
    public void clear() {
        size = 0;
    }

    public void add(byte[] value) {
        long at = grow(value.length);
        MemorySegment.copy(value, 0, bytes, ValueLayout.JAVA_BYTE, at, value.length);
    }

    public void add(MemorySegment value) {
        long at = grow(value.byteSize());
        MemorySegment.copy(value, 0, bytes, at, value.byteSize());
    }

    public void addLong(long value) {
        long at = grow(8);
        bytes.set(LittleEndian.U64, at, value);
    }

    public void addInt(int value) {
        long at = grow(4);
        bytes.set(LittleEndian.U32, at, value);
    }

    public long getLong(long index) {
        return bytes.get(LittleEndian.U64, 8 * index);
    }

    private long grow(long more) {
        long at = size;
        size = Math.addExact(size, more);
        if (size > bytes.byteSize()) {
            Arena larger = Arena.ofShared();
            MemorySegment copy = larger.allocate(Math.max(Math.max(size, FIRST), 2 * bytes.byteSize()), 8);
            MemorySegment.copy(bytes, 0, copy, 0, at);
            close();
            arena = larger;
            bytes = copy;
        }
        return at;
    }

    @Override
    public void close() {
        if (arena != null && arena.scope().isAlive()) {
            arena.close();
        }
    }
}
