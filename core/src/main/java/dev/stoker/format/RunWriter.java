package dev.stoker.format;

import java.lang.foreign.MemorySegment;

/**
 * Takes the bytes of one run, from its first to its last. Values pass through memory once: they are read from the
 * source, checksummed, and their places noted for the Index.
 */
public interface RunWriter {
    /** The place in the container of the next byte. */
    long position();

    void put(MemorySegment bytes);

    default void put(byte[] bytes) {
        put(MemorySegment.ofArray(bytes));
    }

    void zeros(long count);

    /** Zeros up to the next multiple of a power of two. */
    default void align(long to) {
        zeros(-position() & (to - 1));
    }

    /**
     * The value of one field of one sample of this run. A run gives a field either for all its samples, in their order,
     * or not at all.
     */
    void value(long sample, int field);

    /**
     * In a container that is a folder: begins the file of this relative path; {@link #position} starts at 0 again.
     *
     * @param path with {@code /} between names; never leaves the folder
     */
    void file(byte[] path);
}
