package dev.stoker.formats.parquet.write;

import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The least and the largest of some numbers, as statistics give them: in a form that compares as the type does. */
final class ColumnBounds {
    private final DType dtype;
    private boolean hasValue;
    private boolean hasNan;
    private long least;
    private long most;

    ColumnBounds(DType dtype) {
        this.dtype = dtype;
    }

    /** The value of an integer or a bool. */
    static long integer(DType dtype, MemorySegment value) {
        return switch (dtype) {
            case INT8 -> value.get(ValueLayout.JAVA_BYTE, 0);
            case UINT8, BOOL -> value.get(ValueLayout.JAVA_BYTE, 0) & 0xff;
            case INT16 -> value.get(LittleEndian.U16, 0);
            case UINT16 -> value.get(LittleEndian.U16, 0) & 0xffff;
            case INT32 -> value.get(LittleEndian.U32, 0);
            case UINT32 -> Integer.toUnsignedLong(value.get(LittleEndian.U32, 0));
            case INT64, UINT64 -> value.get(LittleEndian.U64, 0);
            case FLOAT16, FLOAT32, FLOAT64 -> throw new IllegalArgumentException(dtype + " is no integer");
        };
    }

    void add(MemorySegment value) {
        long key;
        if (dtype.isFloat()) {
            double number = floating(value);
            hasNan |= Double.isNaN(number);
            key = key(number);
        } else {
            key = integer(dtype, value) ^ (dtype == DType.UINT64 ? Long.MIN_VALUE : 0);
        }
        add(key);
    }

    private void add(long key) {
        least = hasValue ? Math.min(least, key) : key;
        most = hasValue ? Math.max(most, key) : key;
        hasValue = true;
    }

    void add(ColumnBounds other) {
        if (other.hasValue) {
            add(other.least);
            add(other.most);
        }
        hasNan |= other.hasNan;
    }

    private double floating(MemorySegment value) {
        return switch (dtype) {
            case FLOAT16 -> Float.float16ToFloat(value.get(LittleEndian.U16, 0));
            case FLOAT32 -> Float.intBitsToFloat(value.get(LittleEndian.U32, 0));
            default -> Double.longBitsToDouble(value.get(LittleEndian.U64, 0));
        };
    }

    /** Whether there are any: a NaN has no place in an order. */
    boolean isKnown() {
        return hasValue && !hasNan;
    }

    byte[] least() {
        // A reader may take the two zeros for one, so the bounds have to hold both.
        return bytes(dtype.isFloat() && number(least) == 0 ? key(-0.0) : least);
    }

    byte[] most() {
        return bytes(dtype.isFloat() && number(most) == 0 ? key(0.0) : most);
    }

    /** Whole numbers in the order of the floating ones, -0.0 before 0.0. */
    private static long key(double number) {
        long bits = Double.doubleToRawLongBits(number);
        return bits ^ bits >> 63 & Long.MAX_VALUE;
    }

    private static double number(long key) {
        return Double.longBitsToDouble(key ^ key >> 63 & Long.MAX_VALUE);
    }

    /** As a value of the column's physical type. */
    private byte[] bytes(long key) {
        var bytes = new byte[dtype == DType.BOOL ? 1 : dtype == DType.FLOAT16 ? 2 : Math.max(4, dtype.bytes())];
        MemorySegment to = MemorySegment.ofArray(bytes);
        switch (dtype) {
            case BOOL -> bytes[0] = (byte) key;
            case FLOAT16 -> to.set(LittleEndian.U16, 0, Float.floatToFloat16((float) number(key)));
            case FLOAT32 -> to.set(LittleEndian.U32, 0, Float.floatToRawIntBits((float) number(key)));
            case FLOAT64 -> to.set(LittleEndian.U64, 0, Double.doubleToRawLongBits(number(key)));
            case INT64 -> to.set(LittleEndian.U64, 0, key);
            case UINT64 -> to.set(LittleEndian.U64, 0, key ^ Long.MIN_VALUE);
            default -> to.set(LittleEndian.U32, 0, (int) key);
        }
        return bytes;
    }
}
