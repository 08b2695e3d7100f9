package dev.stoker.formats.tar;

import dev.stoker.StokerException;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Numbers as JSON, exactly: what was written reads back bit by bit. Floating numbers are written as the double of the
 * same value. JSON has no name for those that are not finite, so they are texts: {@code "Infinity"}, {@code
 * "-Infinity"}, {@code "NaN"}, and {@code "NaN:7fc00001"} for one with other bits than the usual.
 */
final class JsonNumbers {
    private static final String NAN = "NaN";

    private JsonNumbers() {}

    static Object encode(DType dtype, MemorySegment value) {
        long bits = bits(dtype, value);
        if (dtype == DType.BOOL) {
            if (bits > 1) {
                throw new StokerException("a bool should be 0 or 1 but is " + bits);
            }
            return bits == 1;
        }
        if (!dtype.isFloat()) {
            return integer(dtype, bits);
        }
        double number = number(dtype, bits);
        if (Double.isNaN(number)) {
            return bits == toBits(dtype, Double.NaN) ? NAN : NAN + ":" + Long.toHexString(bits);
        }
        return Double.isInfinite(number) ? (Object) Double.toString(number) : (Object) number;
    }

    /** An integer as text, for {@code STEM.cls}. */
    static String integerText(DType dtype, MemorySegment value) {
        return integer(dtype, bits(dtype, value)).toString();
    }

    /** What {@link #integerText} wrote, or null if it is anything else. */
    static byte @Nullable [] decodeText(DType dtype, String text) {
        try {
            byte[] bytes = bytes(dtype, new BigInteger(text).longValue());
            // Whatever does not fit the type comes back as another number.
            return integerText(dtype, MemorySegment.ofArray(bytes)).equals(text) ? bytes : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static Number integer(DType dtype, long bits) {
        if (dtype.isUnsigned()) {
            return bits >= 0 ? (Number) bits : (Number) new BigInteger(Long.toUnsignedString(bits));
        }
        int shift = 64 - 8 * dtype.bytes();
        return bits << shift >> shift;
    }

    /** The canonical bytes, or null if the value is not of that type. */
    static byte @Nullable [] decode(DType dtype, @Nullable Object value) {
        if (dtype == DType.BOOL) {
            return value instanceof Boolean bool ? bytes(dtype, bool ? 1 : 0) : null;
        }
        if (dtype.isFloat()) {
            return decodeFloat(dtype, value);
        }
        if (!(value instanceof Long || value instanceof BigInteger)) {
            return null;
        }
        return decodeText(dtype, value.toString());
    }

    private static byte @Nullable [] decodeFloat(DType dtype, @Nullable Object value) {
        if (value instanceof String text) {
            return decodeNotFinite(dtype, text);
        }
        if (!(value instanceof Double number)) {
            return null;
        }
        long bits = toBits(dtype, number);
        boolean exact = Double.doubleToRawLongBits(number(dtype, bits)) == Double.doubleToRawLongBits(number);
        return exact ? bytes(dtype, bits) : null;
    }

    private static byte @Nullable [] decodeNotFinite(DType dtype, String text) {
        if (text.equals(NAN) || text.equals("Infinity") || text.equals("-Infinity")) {
            return bytes(dtype, toBits(dtype, Double.parseDouble(text)));
        }
        if (!text.startsWith(NAN + ":")) {
            return null;
        }
        try {
            long bits = Long.parseUnsignedLong(text.substring(NAN.length() + 1), 16);
            boolean fits = dtype.bytes() == 8 || bits >>> 8 * dtype.bytes() == 0;
            return fits && Double.isNaN(number(dtype, bits)) ? bytes(dtype, bits) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static double number(DType dtype, long bits) {
        return switch (dtype) {
            case FLOAT16 -> Float.float16ToFloat((short) bits);
            case FLOAT32 -> Float.intBitsToFloat((int) bits);
            default -> Double.longBitsToDouble(bits);
        };
    }

    private static long toBits(DType dtype, double number) {
        return switch (dtype) {
            case FLOAT16 -> Float.floatToFloat16((float) number) & 0xffffL;
            case FLOAT32 -> Integer.toUnsignedLong(Float.floatToRawIntBits((float) number));
            default -> Double.doubleToRawLongBits(number);
        };
    }

    private static long bits(DType dtype, MemorySegment value) {
        return switch (dtype.bytes()) {
            case 1 -> value.get(ValueLayout.JAVA_BYTE, 0) & 0xffL;
            case 2 -> value.get(LittleEndian.U16, 0) & 0xffffL;
            case 4 -> Integer.toUnsignedLong(value.get(LittleEndian.U32, 0));
            default -> value.get(LittleEndian.U64, 0);
        };
    }

    private static byte[] bytes(DType dtype, long bits) {
        var bytes = new byte[dtype.bytes()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (bits >>> 8 * i);
        }
        return bytes;
    }
}
