package dev.stoker.feed;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Where the memory of batches comes from: the feed's own, or memory that other processes see too. Threads of the feed
 * call it one at a time.
 */
public interface BatchMemorySource {
    /** Memory of this process alone. */
    BatchMemorySource OWN = bytes -> {
        Arena arena = Arena.ofShared();
        try {
            return new Own(arena, arena.allocate(bytes, BatchLayout.ALIGNMENT));
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    };

    /**
     * Memory for a batch, which begins at a multiple of 64 bytes.
     *
     * @throws OutOfMemoryError if there is not so much
     */
    Piece allocate(long bytes);

    /** Memory of one batch at a time. Any thread may use it until it is closed, which gives it back. */
    interface Piece extends AutoCloseable {
        MemorySegment bytes();

        @Override
        void close();
    }

    /** See {@link #OWN}. */
    record Own(Arena arena, MemorySegment bytes) implements Piece {
        @Override
        public void close() {
            arena.close();
        }
    }
}
