package dev.stoker.verify;

import dev.stoker.io.ByteSource;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A part of a file in memory that moves over it from front to back, so that many small values are few large reads. */
final class ReadAheadBuffer implements AutoCloseable {
    private static final long BYTES = 1 << 20;
    /** A disk gives or refuses at least so much at once. */
    private static final long PAGE = 4096;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment buffer = arena.allocate(BYTES, PAGE);
    private final ByteSource source;
    private long start;
    private long filled;

    ReadAheadBuffer(ByteSource source) {
        this.source = source;
    }

    /**
     * Some bytes from a place on, at least one; valid until the next call.
     *
     * @param wanted how many there should be at most
     * @param ahead up to where it is worth reading
     */
    MemorySegment at(long offset, long wanted, long ahead) throws IOException {
        if (offset < start || offset >= start + filled) {
            fill(offset, Math.min(BYTES, Math.max(offset + wanted, ahead) - offset));
        }
        return buffer.asSlice(offset - start, Math.min(wanted, start + filled - offset));
    }

    private void fill(long offset, long length) throws IOException {
        filled = 0;
        start = offset;
        long least = Math.min(length, PAGE - offset % PAGE);
        for (long part = length; filled == 0; part = Math.max(least, part / 2)) {
            try {
                filled = source.read(offset, buffer.asSlice(0, part));
                requireSome();
            } catch (IOException e) {
                // One bad page must not hide the good ones before it.
                if (part == least) {
                    throw e;
                }
            }
        }
    }

    private void requireSome() throws IOException {
        if (filled == 0) {
            throw new EOFException("the file ends here; it became shorter, or is not whole");
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
