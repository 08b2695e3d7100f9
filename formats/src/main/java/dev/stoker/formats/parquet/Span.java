package dev.stoker.formats.parquet;

import java.lang.foreign.MemorySegment;

/**
 * A run of decoded bytes.
 *
 * @param from where it begins in the segment
 * @param base what is added to a place in the segment to get the one that an Index keeps: in the file, or among the
 *     decoded bytes of blocks; {@link #NOWHERE} if it lies in neither
 */
record Span(MemorySegment segment, long from, long end, long base) {
    static final long NOWHERE = Long.MIN_VALUE;

    long length() {
        return end - from;
    }

    /** Without its first bytes. */
    Span after(long bytes) {
        return new Span(segment, from + bytes, end, base);
    }

    Span first(long bytes) {
        return new Span(segment, from, from + bytes, base);
    }
}
