package dev.stoker.sample;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The type of a number; little-endian wherever it is stored. */
@PublicApi
public enum DType {
    INT8(1),
    INT16(2),
    INT32(4),
    INT64(8),
    UINT8(1),
    UINT16(2),
    UINT32(4),
    UINT64(8),
    FLOAT16(2),
    FLOAT32(4),
    FLOAT64(8),
    BOOL(1);

    private final int bytes;
    private final String label = name().toLowerCase(Locale.ROOT);

    DType(int bytes) {
        this.bytes = bytes;
    }

    public int bytes() {
        return bytes;
    }

    /** The name as NumPy has it: {@code int8}, {@code float64}, {@code bool}. */
    public String label() {
        return label;
    }

    public boolean isFloat() {
        return this == FLOAT16 || this == FLOAT32 || this == FLOAT64;
    }

    public boolean isUnsigned() {
        return this == UINT8 || this == UINT16 || this == UINT32 || this == UINT64;
    }

    public boolean isInteger() {
        return !isFloat() && this != BOOL;
    }

    public static DType of(String label) {
        for (DType type : values()) {
            if (type.label.equals(label)) {
                return type;
            }
        }
        throw new StokerException("unknown number type '" + label + "'; valid are "
                + Arrays.stream(values()).map(DType::label).collect(Collectors.joining(", ")));
    }
}
