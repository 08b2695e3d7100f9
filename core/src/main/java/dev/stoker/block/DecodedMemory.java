package dev.stoker.block;

import dev.stoker.StokerException;
import java.lang.foreign.MemorySegment;

/** Memory for decoded bytes. On the heap, so that what nobody holds any more is freed, and counted, by the JVM. */
final class DecodedMemory {
    private DecodedMemory() {}

    static MemorySegment allocate(long bytes) {
        if (bytes < 0 || bytes > BlockTable.MAX_BLOCK_BYTES) {
            throw new StokerException("a block of " + bytes + " decoded bytes is larger than the "
                    + BlockTable.MAX_BLOCK_BYTES
                    + " that Stoker decodes at once; write the file with smaller blocks (chunks, row groups, members)");
        }
        return MemorySegment.ofArray(new byte[(int) bytes]);
    }
}
