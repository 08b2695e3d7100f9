package dev.stoker.feed;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Npy;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * Values that were packed as bytes but are arrays, all of one type and shape: the numbers themselves (row-major,
 * little-endian), or whole {@code .npy} files. A value of another type or shape is a bad sample.
 */
@PublicApi
public final class ArrayDecoder implements Decoder {
    private final FieldType.Tensor output;
    private final boolean npy;

    private ArrayDecoder(FieldType.Tensor output, boolean npy) {
        this.output = output;
        this.npy = npy;
    }

    /** For values that are the numbers and nothing else. */
    public static Supplier<ArrayDecoder> raw(FieldType.Tensor type) {
        return () -> new ArrayDecoder(type, false);
    }

    /** For values that are {@code .npy} files. */
    public static Supplier<ArrayDecoder> npy(FieldType.Tensor type) {
        return () -> new ArrayDecoder(type, true);
    }

    @Override
    public FieldType.Tensor output() {
        return output;
    }

    @Override
    public void decode(MemorySegment encoded, MemorySegment batch, long offset, long seed, long epoch, long sample) {
        long from = npy ? checkedHeader(encoded).dataOffset() : 0;
        long length = encoded.byteSize() - from;
        if (length != output.width()) {
            throw new StokerException("the value should have the " + output.width() + " bytes of " + output.label()
                    + " but has " + length);
        }
        MemorySegment.copy(encoded, from, batch, offset, length);
    }

    private Npy checkedHeader(MemorySegment encoded) {
        Npy header = Npy.parse(encoded, "npy");
        long[] shape = output.shape().stream().mapToLong(Long::longValue).toArray();
        if (header.dtype() != output.dtype() || !Arrays.equals(header.shape(), shape)) {
            throw new StokerException("the array should be " + output.label() + " but is "
                    + header.dtype().label() + Arrays.toString(header.shape()).replace(" ", ""));
        }
        if (header.bigEndian() || header.fortranOrder() && shape.length > 1) {
            throw new StokerException("the array should be row-major and little-endian but is "
                    + (header.bigEndian() ? "big-endian" : "column-major") + "; save it with numpy.ascontiguousarray");
        }
        return header;
    }
}
