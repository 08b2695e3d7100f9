package dev.stoker.memory;

import java.lang.foreign.MemorySegment;

/** Reads a part of a file, all of it or throws. */
@FunctionalInterface
public interface PartReader {
    void read(long offset, MemorySegment to);
}
