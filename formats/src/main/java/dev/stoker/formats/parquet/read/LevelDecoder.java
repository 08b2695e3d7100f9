package dev.stoker.formats.parquet.read;

import dev.stoker.formats.parquet.schema.Encoding;
import dev.stoker.formats.parquet.schema.PageLocation;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.ValueLayout;

/** Gives the levels of a page, one after another. */
interface LevelDecoder {
    int next();

    /** Of a column that has only one level. */
    LevelDecoder NONE = () -> 0;

    /** Bits that numbers up to one take. */
    static int width(int most) {
        return 32 - Integer.numberOfLeadingZeros(most);
    }

    /** The levels, checked, and what follows them. */
    record Read(LevelDecoder levels, ByteSpan rest) {}

    /** Reads the levels with which a page of version 1 begins. */
    static Read ofFirst(ByteSpan page, int most, int encoding, int count, PageLocation place) {
        if (most == 0) {
            return new Read(NONE, page);
        }
        if (encoding == Encoding.BIT_PACKED.number()) {
            long bytes = ((long) count * width(most) + 7) / 8;
            if (bytes > page.length()) {
                throw place.corrupt("a page of " + page.length() + " bytes has levels of " + bytes);
            }
            return new Read(checked(new Packed(page.first(bytes), width(most)), most, place), page.after(bytes));
        }
        if (encoding != Encoding.RLE.number()) {
            throw place.unsupported("has levels of encoding " + encoding + ", which Stoker does not know");
        }
        long length =
                page.length() < 4 ? -1 : Integer.toUnsignedLong(page.segment().get(LittleEndian.U32, page.from()));
        if (length < 0 || length > page.length() - 4) {
            throw place.corrupt("a page of " + page.length() + " bytes has levels of " + length);
        }
        return new Read(ofSecond(page.after(4).first(length), most, place), page.after(4 + length));
    }

    /** The levels of a page of version 2, whose header says where they lie. */
    static LevelDecoder ofSecond(ByteSpan levels, int most, PageLocation place) {
        return most == 0
                ? NONE
                : checked(new RleBitPackingHybridDecoder(levels, width(most), place)::next, most, place);
    }

    private static LevelDecoder checked(LevelDecoder levels, int most, PageLocation place) {
        return () -> {
            int level = levels.next();
            if (level > most) {
                throw place.corrupt("a level should be at most " + most + " but is " + level);
            }
            return level;
        };
    }

    /** The encoding of old: no runs, the highest bit first. */
    final class Packed implements LevelDecoder {
        private final ByteSpan span;
        private final int width;
        private long bit;

        Packed(ByteSpan span, int width) {
            this.span = span;
            this.width = width;
        }

        @Override
        public int next() {
            int value = 0;
            for (int i = 0; i < width; i++, bit++) {
                int octet = span.segment().get(ValueLayout.JAVA_BYTE, span.from() + (bit >> 3));
                value = value << 1 | octet >> 7 - (bit & 7) & 1;
            }
            return value;
        }
    }
}
