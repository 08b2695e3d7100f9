package dev.stoker.block;

import java.lang.foreign.MemorySegment;

/** Gives bytes that do not lie in a mapped file as they are: decoded ones, or remote ones. */
public interface ByteReader {
    /** A run of bytes, which lies inside of what there is. */
    MemorySegment read(long address, long length);
}
