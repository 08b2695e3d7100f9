package dev.stoker.format;

import java.lang.foreign.MemorySegment;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

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

    /** A block that was compressed before; gives the values of its field for the samples of its group. */
    default void block(int block) {
        throw new IllegalStateException("this writer has no blocks");
    }

    /**
     * All bytes from here on go into this checksum too, until another one is given, or null. It may be asked, and its
     * value put behind those bytes, at any time: nothing is read twice, also when a stopped pack goes on.
     */
    default void digest(@Nullable Checksum digest) {
        throw new IllegalStateException("this writer takes no checksums");
    }

    /**
     * Keeps a number of one sample, such as the checksum of its value, for the plan's {@linkplain Plan#lateRuns late
     * runs}. A run notes all its samples, in their order, or none.
     */
    default void note(long sample, int number) {
        throw new IllegalStateException("this writer takes no notes");
    }

    /** In a late run: the numbers that were noted of these samples. */
    default int[] noted(long first, int count) {
        throw new IllegalStateException("this writer takes no notes");
    }

    /**
     * In a container that is a folder: begins the file of this relative path; {@link #position} starts at 0 again.
     *
     * @param path with {@code /} between names; never leaves the folder
     */
    void file(byte[] path);
}
