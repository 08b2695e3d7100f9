package dev.stoker.formats.parquet;

import dev.stoker.memory.Layouts;
import java.lang.foreign.MemorySegment;

/** Gives the values of a page one after another: where each lies in a segment. */
abstract class Values {
    private final MemorySegment segment;
    private final long base;
    private long at;
    private long length;

    Values(Span span) {
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
        return base != Span.NOWHERE;
    }

    /** Where the value lies in the file, or among the decoded bytes of blocks. */
    final long address() {
        return base + at;
    }

    /** Values of one width, one after another. */
    static final class Fixed extends Values {
        private final long width;
        private final long end;
        private final Place place;
        private long next;

        Fixed(Span span, long width, Place place) {
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
    static final class Prefixed extends Values {
        private final long end;
        private final Place place;
        private long next;

        Prefixed(Span span, Place place) {
            super(span);
            this.end = span.end();
            this.next = span.from();
            this.place = place;
        }

        @Override
        void next() {
            long bytes = end - next < 4 ? -1 : Integer.toUnsignedLong(segment().get(Layouts.U32, next));
            if (bytes < 0 || bytes > end - next - 4) {
                throw place.corrupt("a page ends within a value of " + bytes + " bytes");
            }
            found(next + 4, bytes);
            next += 4 + bytes;
        }
    }

    /** Values whose lengths stand elsewhere. */
    static final class Lengthed extends Values {
        private final int[] lengths;
        private final long end;
        private final Place place;
        private long next;
        private int number;

        Lengthed(Span span, int[] lengths, Place place) {
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
    static final class Bools extends Values {
        private static final MemorySegment BOTH = MemorySegment.ofArray(new byte[] {0, 1});
        private final HybridReader bits;

        Bools(HybridReader bits) {
            super(new Span(BOTH, 0, 2, Span.NOWHERE));
            this.bits = bits;
        }

        @Override
        void next() {
            found(bits.next(), 1);
        }
    }

    /** Values by their numbers in a dictionary. */
    static final class Looked extends Values {
        private final Dictionary dictionary;
        private final HybridReader numbers;
        private final Place place;

        Looked(Dictionary dictionary, HybridReader numbers, Place place) {
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
