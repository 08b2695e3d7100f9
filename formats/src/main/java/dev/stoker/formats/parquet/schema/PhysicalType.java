package dev.stoker.formats.parquet.schema;

/** How Parquet stores the values of a column; numbered as in its specification. */
public enum PhysicalType {
    BOOLEAN(-1),
    INT32(4),
    INT64(8),
    INT96(12),
    FLOAT(4),
    DOUBLE(8),
    BYTE_ARRAY(-1),
    FIXED_LEN_BYTE_ARRAY(-1);

    private final int bytes;

    PhysicalType(int bytes) {
        this.bytes = bytes;
    }

    /** Bytes of one value, or -1 where the schema, each value or a bit says it. */
    public int bytes() {
        return bytes;
    }
}
