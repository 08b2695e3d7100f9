package dev.stoker.format;

import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;

/** Single numbers in their stored form: read, and converted to another type where that holds the same number. */
public final class NumberConversion {
    private NumberConversion() {}

    /** An integer as it is stored; one of uint64 above 2^63 comes out negative. */
    public static long integer(MemorySegment value, DType type) {
        return switch (type) {
            case INT8 -> value.get(ValueLayout.JAVA_BYTE, 0);
            case UINT8, BOOL -> value.get(ValueLayout.JAVA_BYTE, 0) & 0xff;
            case INT16 -> value.get(LittleEndian.U16, 0);
            case UINT16 -> value.get(LittleEndian.U16, 0) & 0xffff;
            case INT32 -> value.get(LittleEndian.U32, 0);
            case UINT32 -> Integer.toUnsignedLong(value.get(LittleEndian.U32, 0));
            case INT64, UINT64 -> value.get(LittleEndian.U64, 0);
            default -> throw new IllegalArgumentException(type.label());
        };
    }

    private static double real(MemorySegment value, DType type) {
        return switch (type) {
            case FLOAT16 -> Float.float16ToFloat(value.get(LittleEndian.U16, 0));
            case FLOAT32 -> Float.intBitsToFloat(value.get(LittleEndian.U32, 0));
            case FLOAT64 -> Double.longBitsToDouble(value.get(LittleEndian.U64, 0));
            default -> throw new IllegalArgumentException(type.label());
        };
    }

    /** Stores the low bytes of an integer. */
    public static void put(MemorySegment to, DType type, long value) {
        switch (type.bytes()) {
            case 1 -> to.set(ValueLayout.JAVA_BYTE, 0, (byte) value);
            case 2 -> to.set(LittleEndian.U16, 0, (short) value);
            case 4 -> to.set(LittleEndian.U32, 0, (int) value);
            default -> to.set(LittleEndian.U64, 0, value);
        }
    }

    /**
     * Converts a number. False if the type does not hold it: out of its range, or an integer that would become another.
     * A real number may lose digits to a narrower type of real numbers; that is what such a type is for.
     */
    public static boolean convert(MemorySegment value, DType from, MemorySegment to, DType type) {
        if (from.isFloat()) {
            double real = real(value, from);
            return type.isFloat() ? putReal(real, to, type) : putInteger(real, to, type);
        }
        long integer = integer(value, from);
        boolean huge = from == DType.UINT64 && integer < 0;
        if (type.isFloat()) {
            BigDecimal exact = huge ? new BigDecimal(Long.toUnsignedString(integer)) : BigDecimal.valueOf(integer);
            return putReal(exact.doubleValue(), to, type) && new BigDecimal(real(to, type)).compareTo(exact) == 0;
        }
        put(to, type, integer);
        return huge ? type == DType.UINT64 : holds(type, integer);
    }

    private static boolean putInteger(double real, MemorySegment to, DType type) {
        if (real != Math.rint(real) || Double.isInfinite(real)) {
            return false;
        }
        if (real >= 0x1p63) {
            put(to, type, new BigDecimal(real).toBigInteger().longValue());
            return type == DType.UINT64 && real < 0x1p64;
        }
        put(to, type, (long) real);
        return real >= -0x1p63 && holds(type, (long) real);
    }

    private static boolean putReal(double real, MemorySegment to, DType type) {
        switch (type) {
            case FLOAT16 -> to.set(LittleEndian.U16, 0, Float.floatToFloat16((float) real));
            case FLOAT32 -> to.set(LittleEndian.U32, 0, Float.floatToRawIntBits((float) real));
            default -> to.set(LittleEndian.U64, 0, Double.doubleToRawLongBits(real));
        }
        return Double.isInfinite(real) == Double.isInfinite(real(to, type));
    }

    public static boolean holds(DType type, long value) {
        return switch (type) {
            case INT64 -> true;
            case UINT64 -> value >= 0;
            default -> value >= least(type) && value <= most(type);
        };
    }

    private static long least(DType type) {
        return type.isUnsigned() || type == DType.BOOL ? 0 : -1L << 8 * type.bytes() - 1;
    }

    private static long most(DType type) {
        if (type == DType.BOOL) {
            return 1;
        }
        return type.isUnsigned() ? (1L << 8 * type.bytes()) - 1 : ~least(type);
    }

    /** What a type holds, for messages. */
    public static String range(DType type) {
        if (type.isFloat()) {
            return "integers exactly up to " + (1L << (type == DType.FLOAT16 ? 11 : type == DType.FLOAT32 ? 24 : 53));
        }
        return type == DType.UINT64 ? "0 to " + Long.toUnsignedString(-1) : least(type) + " to " + most(type);
    }

    public static String text(MemorySegment value, DType type) {
        if (type.isFloat()) {
            return Double.toString(real(value, type));
        }
        long integer = integer(value, type);
        return type == DType.UINT64 ? Long.toUnsignedString(integer) : Long.toString(integer);
    }
}
