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
     * The value of one field of one sample. Each value that lies in the container is given by exactly one run. A run may
     * give values of any samples in any order; what the Index is told of consecutive samples costs one write.
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
     * Keeps a number, such as the checksum of a value, for the plan's {@linkplain Plan#lateRuns late runs}. What the
     * places count is the plan's choice: samples, or runs. Those of a run follow each other, and no two runs note the
     * same place.
     */
    default void note(long place, int number) {
        throw new IllegalStateException("this writer takes no notes");
    }

    /** In a late run: the numbers that were noted at these places. */
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
