package dev.stoker.io;

import java.lang.foreign.MemorySegment;

/** Reads a part of a file, all of it or throws. */
@FunctionalInterface
public interface RangeReader {
    void read(long offset, MemorySegment to);
}
