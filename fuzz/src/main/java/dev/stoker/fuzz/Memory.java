package dev.stoker.fuzz;

import dev.stoker.io.MappedFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** Inputs outside the heap, as mapped files are: a page-aligned segment that ends where the input ends. */
final class Memory {
    private static final int BYTES = 1 << 20;

    private final MemorySegment buffer = Arena.ofAuto().allocate(BYTES, 4096);

    /** The input's bytes, until the next one. */
    MemorySegment of(byte[] input) {
        MemorySegment bytes = buffer.asSlice(0, input.length);
        MemorySegment.copy(MemorySegment.ofArray(input), 0, bytes, 0, input.length);
        return bytes;
    }

    /** The input as a file with this ending. */
    MappedFile file(String ending, byte[] input) {
        return MappedFile.of(Path.of(Target.FILE + "." + ending), of(input));
    }
}
