package dev.stoker.formats.zarr.read;

import dev.stoker.block.CodecPipeline;
import dev.stoker.formats.zarr.codec.TransposeCodec;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.DataFormatException;

/**
 * How the elements of a chunk become the bytes that are stored.
 *
 * @param order for each dimension of the stored chunk the dimension of the array that it is; row-major if it counts up
 * @param bytes what the bytes go through, in the order of writing
 */
record ChunkCodecs(int[] order, List<ByteCodec> bytes) {
    /** Bytes to bytes. */
    interface ByteCodec {
        String name();

        /** The name of the same codec for blocks. */
        String step();

        /**
         * Decodes at most so many bytes.
         *
         * @throws DataFormatException if they are not what this codec writes, or are more
         */
        byte[] decode(byte[] stored, int limit) throws DataFormatException;
    }

    static int[] rowMajor(int rank) {
        int[] order = new int[rank];
        for (int d = 0; d < rank; d++) {
            order[d] = d;
        }
        return order;
    }

    boolean isRowMajor() {
        for (int d = 0; d < order.length; d++) {
            if (order[d] != d) {
                return false;
            }
        }
        return true;
    }

    /** Whether elements are stored as they are, row after row. */
    boolean isPlain() {
        return bytes.isEmpty() && isRowMajor();
    }

    /** How far apart, in elements, neighbours along each dimension are in a chunk. */
    long[] strides(long[] chunk) {
        long[] strides = new long[order.length];
        long stride = 1;
        for (int d = order.length - 1; d >= 0; d--) {
            strides[order[d]] = stride;
            stride = Math.multiplyExact(stride, chunk[order[d]]);
        }
        return strides;
    }

    /** Undoes all codecs. */
    byte[] decode(byte[] stored, int limit) throws DataFormatException {
        byte[] decoded = stored;
        for (int i = bytes.size() - 1; i >= 0; i--) {
            decoded = bytes.get(i).decode(decoded, limit);
        }
        return decoded;
    }

    /** The steps by which a chunk becomes numbers in canonical form. */
    CodecPipeline steps(ElementType type, long[] chunk) {
        CodecPipeline steps = CodecPipeline.NONE;
        for (int i = bytes.size() - 1; i >= 0; i--) {
            steps = steps.then(bytes.get(i).step());
        }
        if (type instanceof ElementType.Number number && number.isTurned()) {
            steps = steps.then("swap", type.bytes());
        }
        return isRowMajor()
                ? steps
                : steps.then(TransposeCodec.NAME, TransposeCodec.numbers(type.bytes(), chunk, order));
    }

    String describe() {
        var parts = new ArrayList<String>();
        if (!isRowMajor()) {
            parts.add("transposed");
        }
        bytes.forEach(codec -> parts.add(codec.name()));
        return parts.isEmpty()
                ? "cut by chunks, big-endian, never written or in files of a folder"
                : String.join(", ", parts);
    }
}
