package dev.stoker.formats.zarr.codec;

import dev.stoker.block.Codec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Makes a chunk row-major whose dimensions are stored in another order. Its numbers: bytes of an element, the chunk's
 * dimensions, and for each dimension of the stored chunk which one of these it is.
 */
public final class TransposeCodec implements Codec {
    public static final String NAME = "transpose";

    public static Long[] numbers(long width, long[] chunk, int[] order) {
        Long[] numbers = new Long[1 + 2 * chunk.length];
        numbers[0] = width;
        for (int d = 0; d < chunk.length; d++) {
            numbers[1 + d] = chunk[d];
            numbers[1 + chunk.length + d] = (long) order[d];
        }
        return numbers;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public long storedBytes(long decoded) {
        return decoded;
    }

    @Override
    public void decode(MemorySegment stored, MemorySegment to, long[] numbers) throws IOException {
        int rank = (numbers.length - 1) / 2;
        long width = numbers[0];
        long[] strides = new long[rank];
        long bytes = width;
        for (int d = rank - 1; d >= 0; d--) {
            int dimension = Math.toIntExact(numbers[1 + rank + d]);
            strides[dimension] = bytes;
            bytes = Math.multiplyExact(bytes, numbers[1 + dimension]);
        }
        if (bytes != to.byteSize() || stored.byteSize() != bytes) {
            throw new IOException("it should have " + bytes + " bytes but has " + stored.byteSize());
        }
        long[] at = new long[rank];
        long from = 0;
        for (long done = 0; done < bytes; done += width) {
            MemorySegment.copy(stored, from, to, done, width);
            for (int d = rank - 1; d >= 0; d--) {
                from += strides[d];
                if (++at[d] < numbers[1 + d]) {
                    break;
                }
                from -= strides[d] * at[d];
                at[d] = 0;
            }
        }
    }
}
