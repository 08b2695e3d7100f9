package dev.stoker.formats.parquet.schema;

import org.jspecify.annotations.Nullable;

/** How the values of a page are written. */
public enum Encoding {
    PLAIN(0),
    PLAIN_DICTIONARY(2),
    RLE(3),
    BIT_PACKED(4),
    DELTA_BINARY_PACKED(5),
    DELTA_LENGTH_BYTE_ARRAY(6),
    DELTA_BYTE_ARRAY(7),
    RLE_DICTIONARY(8),
    BYTE_STREAM_SPLIT(9);

    private final int number;

    Encoding(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }

    boolean isDictionary() {
        return this == PLAIN_DICTIONARY || this == RLE_DICTIONARY;
    }

    /** The encoding of a number; null if there is none known. */
    public static @Nullable Encoding of(int number) {
        for (Encoding encoding : values()) {
            if (encoding.number == number) {
                return encoding;
            }
        }
        return null;
    }
}
