package dev.stoker.format;

import dev.stoker.StokerException;
import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Npy;
import dev.stoker.sample.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * One fixed-length field of all samples as a NumPy array: its first dimension counts the samples.
 *
 * @param type the field's type: a number, or a tensor
 */
public record NpyArray(FieldType type, long samples) {
    /**
     * What an array holds.
     *
     * @param place the file or member, for messages
     */
    public static NpyArray of(Npy npy, String place) {
        long[] shape = npy.shape();
        if (shape.length == 0) {
            throw new StokerException(place + " is a single number, not an array of samples");
        }
        if (npy.bigEndian()) {
            throw new StokerException(
                    place + " has big-endian numbers; store it again with a.astype(a.dtype.newbyteorder('<'))");
        }
        if (npy.fortranOrder() && shape.length > 1) {
            throw new StokerException(
                    place + " is in Fortran order, so a sample is in many pieces; store np.ascontiguousarray of it");
        }
        List<Long> each = Arrays.stream(shape).skip(1).boxed().toList();
        FieldType type = each.isEmpty() ? new FieldType.Scalar(npy.dtype()) : new FieldType.Tensor(npy.dtype(), each);
        return new NpyArray(type, shape[0]);
    }

    /** The header of the array that holds a field of so many samples. */
    public static byte[] header(FieldType type, long samples) {
        return switch (type) {
            case FieldType.Scalar(DType dtype) -> Npy.header(dtype, samples);
            case FieldType.Tensor(DType dtype, List<Long> shape) ->
                Npy.header(
                        dtype,
                        LongStream.concat(LongStream.of(samples), shape.stream().mapToLong(Long::longValue))
                                .toArray());
            default -> throw new IllegalArgumentException(type.label() + " varies in length");
        };
    }

    /** Whether a field holds text, which is in the sidecar where the container has arrays alone. */
    public static boolean isText(FieldType type) {
        return type instanceof FieldType.Text || type instanceof FieldType.Texts;
    }

    public static void requireFixed(String format, Schema schema, int field) {
        if (!schema.type(field).isFixed()) {
            throw new StokerException(
                    "format " + format + " holds arrays whose samples all have one shape, but the field '"
                            + schema.fields().get(field).name() + "' is of type "
                            + schema.type(field).label()
                            + "; choose another format, or give it a type with --type "
                            + schema.fields().get(field).name() + "=TYPE (see: stoker formats)");
        }
    }
}
