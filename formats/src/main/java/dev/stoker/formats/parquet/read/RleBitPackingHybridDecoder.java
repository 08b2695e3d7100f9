package dev.stoker.formats.parquet.read;

import dev.stoker.formats.parquet.schema.PageLocation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reads small numbers of one width in bits: levels, and places in a dictionary. They come as runs, each of which is
 * either one number many times (varint {@code 2n}, the number) or many numbers in turn (varint {@code 2n + 1}, then n
 * times eight numbers, the lowest bit first).
 */
final class RleBitPackingHybridDecoder {
    private static final int WIDEST = 32;

    private final MemorySegment bytes;
    private final long end;
    private final int width;
    private final PageLocation place;
    private long at;
    /** How many numbers of this run are left. */
    private long left;

    private boolean isPacked;
    private int repeated;
    /** The next bit of a packed run, counted from the segment's first byte. */
    private long bit;

    RleBitPackingHybridDecoder(ByteSpan span, int width, PageLocation place) {
        if (width < 0 || width > WIDEST) {
            throw place.corrupt("numbers of a page should have 0 to " + WIDEST + " bits but have " + width);
        }
        this.bytes = span.segment();
        this.at = span.from();
        this.end = span.end();
        this.width = width;
        this.place = place;
    }

    /** Reads numbers that are packed without a run's head. */
    static RleBitPackingHybridDecoder ofPacked(ByteSpan span, int width, PageLocation place) {
        var reader = new RleBitPackingHybridDecoder(span, width, place);
        reader.isPacked = true;
        reader.bit = 8 * span.from();
        reader.at = span.end();
        reader.left = Long.MAX_VALUE;
        return reader;
    }

    int next() {
        while (left == 0) {
            beginRun();
        }
        left--;
        return isPacked ? packed() : repeated;
    }

    private void beginRun() {
        // Writers leave out what takes no bits.
        if (at == end && width == 0) {
            isPacked = false;
            repeated = 0;
            left = Long.MAX_VALUE;
            return;
        }
        long head = varint();
        isPacked = (head & 1) == 1;
        long count = head >>> 1;
        if (isPacked) {
            // The last group may be cut off where its numbers are not needed.
            long packedBytes = Math.min(end - at, count * width);
            left = 8 * count;
            bit = 8 * at;
            at += packedBytes;
        } else {
            left = count;
            repeated = 0;
            for (int shift = 0; shift < width; shift += 8) {
                repeated |= u8() << shift;
            }
        }
    }

    private int packed() {
        long value = 0;
        long first = bit >> 3;
        int shift = (int) (bit & 7);
        long last = bit + width + 7 >> 3;
        if (last > at) {
            throw place.corrupt("a page ends within its values");
        }
        for (long i = first; i < last; i++) {
            value |= (long) (bytes.get(ValueLayout.JAVA_BYTE, i) & 0xff) << 8 * (i - first);
        }
        bit += width;
        return (int) (value >>> shift & (1L << width) - 1);
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            int next = u8();
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw place.corrupt("the length of a run has more than 32 bits");
    }

    private int u8() {
        if (at >= end) {
            throw place.corrupt("a page ends within its values");
        }
        return bytes.get(ValueLayout.JAVA_BYTE, at++) & 0xff;
    }
}
