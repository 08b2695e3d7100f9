package dev.stoker.formats.parquet.read;

import dev.stoker.formats.parquet.schema.PageLocation;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;

/** Gives the values of a page one after another: where each lies in a segment. */
abstract class ValueDecoder {
    private final MemorySegment segment;
    private final long base;
    private long at;
    private long length;

    ValueDecoder(ByteSpan span) {
        this.segment = span.segment();
        this.base = span.base();
    }

    /** Goes to the next value. */
    abstract void next();

    final void found(long place, long bytes) {
        at = place;
        length = bytes;
    }

    final MemorySegment segment() {
        return segment;
    }

    /** Where the value lies in the segment. */
    final long at() {
        return at;
    }

    final long length() {
        return length;
    }

    /** Whether the values have an {@link #address}. */
    final boolean isStored() {
        return base != ByteSpan.NOWHERE;
    }

    /** Where the value lies in the file, or among the decoded bytes of blocks. */
    final long address() {
        return base + at;
    }

    /** Values of one width, one after another. */
    static final class Fixed extends ValueDecoder {
        private final long width;
        private final long end;
        private final PageLocation place;
        private long next;

        Fixed(ByteSpan span, long width, PageLocation place) {
            super(span);
            this.width = width;
            this.end = span.end();
            this.next = span.from();
            this.place = place;
        }

        @Override
        void next() {
            if (width > end - next) {
                throw place.corrupt("a page ends within its values");
            }
            found(next, width);
            next += width;
        }
    }

    /** Values that have their length before them. */
    static final class Prefixed extends ValueDecoder {
        private final long end;
        private final PageLocation place;
        private long next;

        Prefixed(ByteSpan span, PageLocation place) {
            super(span);
            this.end = span.end();
            this.next = span.from();
            this.place = place;
        }

        @Override
        void next() {
            long bytes = end - next < 4 ? -1 : Integer.toUnsignedLong(segment().get(LittleEndian.U32, next));
            if (bytes < 0 || bytes > end - next - 4) {
                throw place.corrupt("a page ends within a value of " + bytes + " bytes");
            }
            found(next + 4, bytes);
            next += 4 + bytes;
        }
    }

    /** Values whose lengths stand elsewhere. */
    static final class Lengthed extends ValueDecoder {
        private final int[] lengths;
        private final long end;
        private final PageLocation place;
        private long next;
        private int number;

        Lengthed(ByteSpan span, int[] lengths, PageLocation place) {
            super(span);
            this.lengths = lengths;
            this.end = span.end();
            this.next = span.from();
            this.place = place;
        }

        @Override
        void next() {
            if (number == lengths.length || lengths[number] > end - next) {
                throw place.corrupt("a page ends within its values");
            }
            found(next, lengths[number]);
            next += lengths[number++];
        }
    }

    /** Bools, whatever their encoding. */
    static final class Bools extends ValueDecoder {
        private static final MemorySegment BOTH = MemorySegment.ofArray(new byte[] {0, 1});
        private final RleBitPackingHybridDecoder bits;

        Bools(RleBitPackingHybridDecoder bits) {
            super(new ByteSpan(BOTH, 0, 2, ByteSpan.NOWHERE));
            this.bits = bits;
        }

        @Override
        void next() {
            found(bits.next(), 1);
        }
    }

    /** Values by their numbers in a dictionary. */
    static final class Looked extends ValueDecoder {
        private final Dictionary dictionary;
        private final RleBitPackingHybridDecoder numbers;
        private final PageLocation place;

        Looked(Dictionary dictionary, RleBitPackingHybridDecoder numbers, PageLocation place) {
            super(dictionary.span());
            this.dictionary = dictionary;
            this.numbers = numbers;
            this.place = place;
        }

        @Override
        void next() {
            int number = numbers.next();
            if (number < 0 || number >= dictionary.size()) {
                throw place.corrupt("a value is number " + Integer.toUnsignedLong(number) + " of a dictionary of "
                        + dictionary.size());
            }
            found(dictionary.at(number), dictionary.length(number));
        }
    }
}
