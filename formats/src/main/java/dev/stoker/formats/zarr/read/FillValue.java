package dev.stoker.formats.zarr.read;

import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What elements are that were never written, as bytes. */
final class FillValue {
    private FillValue() {}

    /** The bytes of a value of metadata: little-endian, or UTF-8. Empty stands for zeros. */
    static byte[] of(MetadataObject members, ElementType type) {
        Object value = members.get("fill_value");
        if (value == null) {
            return new byte[0];
        }
        return switch (type) {
            case ElementType.Number number -> number(members, value, number.dtype());
            case ElementType.Text ignored ->
                value instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : zeros(members, value);
            default -> zeros(members, value);
        };
    }

    /** Texts of one length, and bytes, are filled with nothing, or it is not supported. */
    private static byte[] zeros(MetadataObject members, Object value) {
        if (value.equals("") || value.equals(0L)) {
            return new byte[0];
        }
        throw members.wrong("fill_value", "an empty one for this type, the only one that Stoker reads,");
    }

    private static byte[] number(MetadataObject members, Object value, DType dtype) {
        MemorySegment to = MemorySegment.ofArray(new byte[8]);
        if (dtype == DType.BOOL) {
            if (!(value instanceof Boolean bool)) {
                throw members.wrong("fill_value", "true or false");
            }
            to.set(ValueLayout.JAVA_BYTE, 0, (byte) (bool ? 1 : 0));
        } else if (dtype.isFloat()) {
            setFloat(members, to, value, dtype);
        } else if (value instanceof Long number) {
            to.set(LittleEndian.U64, 0, number);
        } else if (value instanceof BigInteger number && dtype == DType.UINT64 && number.bitLength() <= 64) {
            to.set(LittleEndian.U64, 0, number.longValue());
        } else {
            throw members.wrong("fill_value", "a whole number");
        }
        return to.asSlice(0, dtype.bytes()).toArray(ValueLayout.JAVA_BYTE);
    }

    private static void setFloat(MetadataObject members, MemorySegment to, Object value, DType dtype) {
        Double number = value instanceof Number any ? Double.valueOf(any.doubleValue()) : special(value);
        if (number == null) {
            Long bits = bits(value, dtype);
            if (bits == null) {
                throw members.wrong("fill_value", "a number, NaN, Infinity, -Infinity or its bits as 0x…");
            }
            to.set(LittleEndian.U64, 0, bits);
            return;
        }
        switch (dtype) {
            case FLOAT16 -> to.set(LittleEndian.U16, 0, Float.floatToFloat16(number.floatValue()));
            case FLOAT32 -> to.set(LittleEndian.U32, 0, Float.floatToIntBits(number.floatValue()));
            default -> to.set(LittleEndian.U64, 0, Double.doubleToLongBits(number));
        }
    }

    private static @Nullable Double special(Object value) {
        return switch (value.toString()) {
            case "NaN" -> Double.NaN;
            case "Infinity" -> Double.POSITIVE_INFINITY;
            case "-Infinity" -> Double.NEGATIVE_INFINITY;
            default -> null;
        };
    }

    private static @Nullable Long bits(Object value, DType dtype) {
        if (value instanceof String text && text.startsWith("0x") && text.length() == 2 + 2 * dtype.bytes()) {
            try {
                return Long.parseUnsignedLong(text.substring(2), 16);
            } catch (NumberFormatException e) {
                return null;
            }
        }
        return null;
    }
}
