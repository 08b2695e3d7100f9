package dev.stoker.sample;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** What is read where a column of a table has no value: every field has a value in every sample. */
public final class StandIn {
    private static final byte[] NOT_A_NUMBER16 = {0, 0x7e};
    private static final byte[] NOT_A_NUMBER32 = {0, 0, (byte) 0xc0, 0x7f};
    private static final byte[] NOT_A_NUMBER64 = {0, 0, 0, 0, 0, 0, (byte) 0xf8, 0x7f};

    private StandIn() {}

    /** The bytes that stand for a number: not a number, false, or -1, which has the bits of the largest one without a sign. */
    public static MemorySegment of(DType dtype) {
        return MemorySegment.ofArray(
                switch (dtype) {
                    case FLOAT16 -> NOT_A_NUMBER16.clone();
                    case FLOAT32 -> NOT_A_NUMBER32.clone();
                    case FLOAT64 -> NOT_A_NUMBER64.clone();
                    case BOOL -> new byte[1];
                    default -> ones(dtype.bytes());
                });
    }

    /** The bytes that stand for a whole tensor: each of its elements is a stand-in. */
    public static MemorySegment of(FieldType.Tensor tensor) {
        MemorySegment all = MemorySegment.ofArray(new byte[Math.toIntExact(tensor.width())]);
        fill(all, tensor.dtype());
        return all;
    }

    /** Makes all elements stand-ins. */
    public static void fill(MemorySegment elements, DType dtype) {
        MemorySegment one = of(dtype);
        for (long at = 0; at < elements.byteSize(); at += one.byteSize()) {
            MemorySegment.copy(one, 0, elements, at, one.byteSize());
        }
    }

    private static byte[] ones(int bytes) {
        var ones = new byte[bytes];
        Arrays.fill(ones, (byte) -1);
        return ones;
    }

    /** What a person is told of the nulls of a field. */
    static String sentence(FieldType type) {
        return switch (type) {
            case FieldType.Text _ -> "each is read as an empty text";
            case FieldType.Texts _ -> "each is read as an empty text, or an empty list";
            case FieldType.Scalar scalar -> "each is read as " + label(scalar.dtype());
            case FieldType.Array array -> "each is read as an empty list, or in a list as " + label(array.dtype());
            case FieldType.Tensor tensor -> "each element is read as " + label(tensor.dtype());
            default -> "each is read as an empty value";
        };
    }

    private static String label(DType dtype) {
        if (dtype.isFloat()) {
            return "NaN";
        }
        if (dtype == DType.BOOL) {
            return "false";
        }
        return dtype.isUnsigned() ? Long.toUnsignedString(-1L >>> 64 - 8 * dtype.bytes()) : "-1";
    }

    /** Says that values of a field are null in the container. */
    public static Omission omission(Field field, long nulls) {
        return new Omission(field.name(), nulls + (nulls == 1 ? " null" : " nulls"), sentence(field.type()));
    }
}
