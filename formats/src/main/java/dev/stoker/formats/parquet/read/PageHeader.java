package dev.stoker.formats.parquet.read;

import dev.stoker.formats.parquet.schema.Encoding;
import dev.stoker.formats.parquet.schema.PageType;
import dev.stoker.formats.parquet.thrift.ThriftReader;

/**
 * The header of a page.
 *
 * @param stored bytes of the page in the file, behind its header
 * @param decoded bytes that it has uncompressed
 * @param crc of the stored bytes; -1 if there is none
 * @param values with nulls; of a dictionary, its entries
 * @param encoding of the values, by its number
 * @param repetitionEncoding of the repetition levels, in version 1
 * @param definitionEncoding of the definition levels, in version 1
 * @param repetitionBytes of the repetition levels, in version 2
 * @param definitionBytes of the definition levels, in version 2
 * @param isCompressed whether the values are, in version 2
 */
public record PageHeader(
        int type,
        int stored,
        int decoded,
        long crc,
        int values,
        int encoding,
        int repetitionEncoding,
        int definitionEncoding,
        int repetitionBytes,
        int definitionBytes,
        boolean isCompressed) {

    /** Reads the struct PageHeader. */
    public static PageHeader read(ThriftReader from) {
        return new Parser().read(from);
    }

    /** Collects the fields, which may come in any order. */
    private static final class Parser {
        private int type = -1;
        private int stored = -1;
        private int decoded = -1;
        private long crc = -1;
        private int values = -1;
        private int encoding = -1;
        private int repetitionEncoding = Encoding.RLE.number();
        private int definitionEncoding = Encoding.RLE.number();
        private int repetitionBytes;
        private int definitionBytes;
        private boolean isCompressed = true;

        PageHeader read(ThriftReader from) {
            from.enter();
            for (int field = from.next(); field != 0; field = from.next()) {
                switch (field) {
                    case 1 -> type = from.i32();
                    case 2 -> decoded = from.i32();
                    case 3 -> stored = from.i32();
                    case 4 -> crc = Integer.toUnsignedLong(from.i32());
                    case 5, 7 -> readFirst(from, field == 5);
                    case 8 -> readSecond(from);
                    default -> from.skip();
                }
            }
            from.leave();
            boolean hasValues = type != PageType.DATA && type != PageType.DATA_V2 && type != PageType.DICTIONARY
                    || values >= 0 && encoding >= 0;
            if (type < 0 || stored < 0 || decoded < 0 || !hasValues || repetitionBytes < 0 || definitionBytes < 0) {
                throw from.corrupt("the header of a page has a negative number, or lacks one");
            }
            return new PageHeader(
                    type,
                    stored,
                    decoded,
                    crc,
                    values,
                    encoding,
                    repetitionEncoding,
                    definitionEncoding,
                    repetitionBytes,
                    definitionBytes,
                    isCompressed);
        }

        /** The header of a data page of version 1, or of a dictionary, which begins alike. */
        private void readFirst(ThriftReader from, boolean isData) {
            from.enter();
            for (int field = from.next(); field != 0; field = from.next()) {
                if (field == 1) {
                    values = from.i32();
                } else if (field == 2) {
                    encoding = from.i32();
                } else if (field == 3 && isData) {
                    definitionEncoding = from.i32();
                } else if (field == 4 && isData) {
                    repetitionEncoding = from.i32();
                } else {
                    from.skip();
                }
            }
            from.leave();
        }

        private void readSecond(ThriftReader from) {
            from.enter();
            for (int field = from.next(); field != 0; field = from.next()) {
                switch (field) {
                    case 1 -> values = from.i32();
                    case 4 -> encoding = from.i32();
                    case 5 -> definitionBytes = from.i32();
                    case 6 -> repetitionBytes = from.i32();
                    case 7 -> isCompressed = from.bool();
                    default -> from.skip();
                }
            }
            from.leave();
        }
    }
}
