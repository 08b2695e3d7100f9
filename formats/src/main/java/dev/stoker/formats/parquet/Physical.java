package dev.stoker.formats.parquet;

/** How Parquet stores the values of a column; numbered as in its specification. */
enum Physical {
    BOOLEAN(-1),
    INT32(4),
    INT64(8),
    INT96(12),
    FLOAT(4),
    DOUBLE(8),
    BYTE_ARRAY(-1),
    FIXED_LEN_BYTE_ARRAY(-1);

    private final int bytes;

    Physical(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of one value, or -1 where the schema, each value or a bit says it. */
    int bytes() {
        return bytes;
    }
}
