package dev.stoker.formats.parquet.read;

import dev.stoker.formats.parquet.schema.PageLocation;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reads numbers of encoding DELTA_BINARY_PACKED: the first one, then blocks of differences, each block with its least
 * difference and, for each of its miniblocks, a width in bits.
 */
final class DeltaBinaryPackedDecoder {
    private final MemorySegment bytes;
    private final long end;
    private final PageLocation place;
    private final long[] numbers;
    private long at;

    /**
     * Reads all of them.
     *
     * @param most how many there are at most: what the page says it has
     */
    DeltaBinaryPackedDecoder(ByteSpan span, long most, PageLocation place) {
        this.bytes = span.segment();
        this.at = span.from();
        this.end = span.end();
        this.place = place;
        long blockSize = varint();
        long miniblocks = varint();
        long count = varint();
        if (count < 0 || count > most) {
            throw place.corrupt("a page should have at most " + most + " values but has " + count);
        }
        if (blockSize <= 0
                || miniblocks <= 0
                || miniblocks > blockSize
                || blockSize % miniblocks != 0
                || blockSize / miniblocks % 8 != 0
                || blockSize > Integer.MAX_VALUE) {
            throw place.corrupt("blocks of " + blockSize + " values in " + miniblocks + " parts cannot be");
        }
        this.numbers = new long[(int) count];
        if (count > 0) {
            numbers[0] = zigzag();
        } else {
            zigzag();
        }
        read((int) (blockSize / miniblocks), (int) miniblocks);
    }

    private void read(int perMiniblock, int miniblocks) {
        int done = 1;
        while (done < numbers.length) {
            long least = zigzag();
            long widths = at;
            skip(miniblocks);
            for (int m = 0; m < miniblocks && done < numbers.length; m++) {
                int width = bytes.get(ValueLayout.JAVA_BYTE, widths + m) & 0xff;
                if (width > 64) {
                    throw place.corrupt("differences should have at most 64 bits but have " + width);
                }
                long first = 8 * at;
                // The last miniblock may be cut off behind the last value.
                long needed = Math.min(perMiniblock, numbers.length - done);
                if ((needed * width + 7) / 8 > end - at) {
                    throw place.corrupt("a page ends within its values");
                }
                for (int i = 0; i < needed; i++, done++) {
                    numbers[done] = numbers[done - 1] + least + unpack(first + (long) i * width, width);
                }
                at = Math.min(end, at + (long) perMiniblock / 8 * width);
            }
        }
    }

    private long unpack(long bit, int width) {
        long value = 0;
        int done = 0;
        long from = bit;
        while (done < width) {
            int shift = (int) (from & 7);
            int take = Math.min(8 - shift, width - done);
            long part = (bytes.get(ValueLayout.JAVA_BYTE, from >> 3) & 0xff) >> shift & (1 << take) - 1;
            value |= part << done;
            done += take;
            from += take;
        }
        return value;
    }

    long[] numbers() {
        return numbers;
    }

    /** The numbers as lengths of values, which are never negative. */
    int[] lengths() {
        var lengths = new int[numbers.length];
        for (int i = 0; i < lengths.length; i++) {
            if (numbers[i] < 0 || numbers[i] > Integer.MAX_VALUE) {
                throw place.corrupt("a value has a length of " + numbers[i]);
            }
            lengths[i] = (int) numbers[i];
        }
        return lengths;
    }

    /** Where the bytes behind the numbers begin. */
    long position() {
        return at;
    }

    private void skip(long count) {
        if (count > end - at) {
            throw place.corrupt("a page ends within its values");
        }
        at += count;
    }

    private long zigzag() {
        long value = varint();
        return value >>> 1 ^ -(value & 1);
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            skip(1);
            int next = bytes.get(ValueLayout.JAVA_BYTE, at - 1) & 0xff;
            value |= (long) (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw place.corrupt("a number has more than 64 bits");
    }
}
