package dev.stoker.formats.parquet.read;

import java.lang.foreign.MemorySegment;

/**
 * A run of decoded bytes.
 *
 * @param from where it begins in the segment
 * @param base what is added to a place in the segment to get the one that an Index keeps: in the file, or among the
 *     decoded bytes of blocks; {@link #NOWHERE} if it lies in neither
 */
record ByteSpan(MemorySegment segment, long from, long end, long base) {
    static final long NOWHERE = Long.MIN_VALUE;

    long length() {
        return end - from;
    }

    /** Without its first bytes. */
    ByteSpan after(long bytes) {
        return new ByteSpan(segment, from + bytes, end, base);
    }

    ByteSpan first(long bytes) {
        return new ByteSpan(segment, from, from + bytes, base);
    }
}
