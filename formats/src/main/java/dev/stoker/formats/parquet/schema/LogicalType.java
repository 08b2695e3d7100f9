package dev.stoker.formats.parquet.schema;

import dev.stoker.sample.DType;
import org.jspecify.annotations.Nullable;

/** What the values of a column mean: of Parquet's logical and converted types what Stoker tells apart. */
public enum LogicalType {
    /** The physical type says all. */
    NONE,
    TEXT,
    LIST,
    MAP,
    INT8(DType.INT8),
    INT16(DType.INT16),
    INT32(DType.INT32),
    INT64(DType.INT64),
    UINT8(DType.UINT8),
    UINT16(DType.UINT16),
    UINT32(DType.UINT32),
    UINT64(DType.UINT64),
    FLOAT16(DType.FLOAT16),
    /** Dates, times and timestamps: read as the number that is stored. */
    TIME,
    /** Stored bytes that are read as they are: BSON, UUID, geometry. */
    BYTES,
    /** Numbers with a scale, which no type of ours has. */
    DECIMAL,
    INTERVAL,
    /** Only nulls. */
    UNKNOWN,
    VARIANT;

    private final @Nullable DType dtype;

    LogicalType() {
        this(null);
    }

    LogicalType(@Nullable DType dtype) {
        this.dtype = dtype;
    }

    /** The type of number, where it is one. */
    public @Nullable DType dtype() {
        return dtype;
    }

    /** The annotation of an integer type. */
    static LogicalType ofInteger(int bits, boolean signed) {
        return switch (bits) {
            case 8 -> signed ? INT8 : UINT8;
            case 16 -> signed ? INT16 : UINT16;
            case 32 -> signed ? INT32 : UINT32;
            case 64 -> signed ? INT64 : UINT64;
            default -> throw new IllegalArgumentException("an integer of " + bits + " bits");
        };
    }

    /** The annotation of a number that Parquet's own types do not tell. */
    public static LogicalType of(DType dtype) {
        for (LogicalType logical : values()) {
            if (logical.dtype == dtype && dtype != DType.INT32 && dtype != DType.INT64) {
                return logical;
            }
        }
        return NONE;
    }
}
