package dev.stoker.block;

import dev.stoker.StokerException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * One step of decoding a block. Stateless; those that need a library are registered as services ({@code
 * META-INF/services/dev.stoker.block.Codec}).
 */
public interface Codec {
    /** The stored length does not follow from the decoded one: the step compresses. */
    long COMPRESSES = -1;

    /** Its name in the Index, such as {@code zstd}. */
    String name();

    /**
     * How many bytes the step is given, where that follows from the number that it makes.
     *
     * @param decoded how many bytes the step makes
     * @return the bytes, or {@link #COMPRESSES}
     */
    default long storedBytes(long decoded) {
        return COMPRESSES;
    }

    /**
     * The most bytes that so many stored ones can make, so that a small file never asks for much memory.
     *
     * @return at least what any sound input of that length makes
     */
    default long mostBytes(long stored) {
        return Long.MAX_VALUE;
    }

    /**
     * Decodes.
     *
     * @param to is filled to its last byte; stored bytes that make fewer or more are damaged
     * @param numbers what the Index says about the step, such as the width of a number
     * @throws IOException if the stored bytes are damaged, with the reason
     */
    void decode(MemorySegment stored, MemorySegment to, long[] numbers) throws IOException;

    /** Compresses; the same bytes give the same outcome each time. */
    default MemorySegment encode(MemorySegment plain) {
        throw new StokerException("this Stoker decodes " + name() + " but does not write it");
    }
}
