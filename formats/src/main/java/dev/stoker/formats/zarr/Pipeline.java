package dev.stoker.formats.zarr;

import java.util.ArrayList;
import java.util.List;
import java.util.zip.DataFormatException;

/**
 * How the elements of a chunk become the bytes that are stored.
 *
 * @param order for each dimension of the stored chunk the dimension of the array that it is; row-major if it counts up
 * @param codecs what the bytes go through, in the order of writing
 */
record Pipeline(int[] order, List<ByteCodec> codecs) {
    /** Bytes to bytes. */
    interface ByteCodec {
        String name();

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
        return codecs.isEmpty() && isRowMajor();
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
        byte[] bytes = stored;
        for (int i = codecs.size() - 1; i >= 0; i--) {
            bytes = codecs.get(i).decode(bytes, limit);
        }
        return bytes;
    }

    String describe() {
        var parts = new ArrayList<String>();
        if (!isRowMajor()) {
            parts.add("transposed");
        }
        codecs.forEach(codec -> parts.add(codec.name()));
        return parts.isEmpty()
                ? "cut by chunks, big-endian, never written or in files of a folder"
                : String.join(", ", parts);
    }
}
