package dev.stoker.formats.shared.array;

import dev.stoker.index.BlockRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The values of one field in one group. */
public interface ColumnReader extends SampleArray {
    /** Refuses an array that Stoker cannot read, now that it is one of the samples'. */
    default void requireReadable() {}

    /** Whether every value lies in the file as it is. */
    default boolean isStored() {
        return false;
    }

    /** Where the first value begins if all lie one after another, else -1. */
    default long base() {
        return -1;
    }

    /** Where a value lies; only if it {@link #isStored}. */
    default Span span(long row) {
        throw new IllegalStateException("not stored");
    }

    /** Whether values that are not stored as they are can be had from blocks; else they are kept in the Index. */
    default boolean isInBlocks() {
        return false;
    }

    /** Adds the blocks that hold the values, and returns where these begin among the decoded bytes. */
    default long addBlocks(BlockRows blocks) {
        throw new IllegalStateException("not in blocks");
    }

    /** Where a value lies among the decoded bytes, in which all begin at an address. */
    default Span blockSpan(long address, long row) {
        throw new IllegalStateException("not in blocks");
    }

    /**
     * Decoded bytes of all blocks, if the values of a fixed-length field lie one after another in them, from the first
     * byte to the last; else -1.
     */
    default long denseBlockBytes() {
        return -1;
    }

    /** How many rows were really written; 0 if that is not known. */
    default long storedRows() {
        return 0;
    }

    /** Whether several samples may refer to the same text. */
    default boolean mayShareTexts() {
        return true;
    }

    /** The value itself; valid until the next call. */
    MemorySegment value(long row);

    /** The dimensions of a value of an array field. */
    default long[] shape(long row) {
        throw new IllegalStateException("only arrays have a shape of their own");
    }

    /** What it reads, for messages: an array by its name. */
    String label();

    /** Refuses values that are not {@linkplain #isStored stored} and too many to be kept in the Index. */
    void requireKeepable(long bytes);

    /** Refuses a value whose bytes should be bools but are neither 0 nor 1. */
    default void requireBools(MemorySegment value, long row, Origin origin) {
        for (long i = 0; i < value.byteSize(); i++) {
            byte found = value.get(ValueLayout.JAVA_BYTE, i);
            if (found != 0 && found != 1) {
                throw origin.corrupt(-1, label() + ", row " + row + ": expected 0 or 1 but found " + found);
            }
        }
    }
}
