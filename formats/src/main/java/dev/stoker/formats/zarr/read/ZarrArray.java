package dev.stoker.formats.zarr.read;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the metadata says of an array.
 *
 * @param path its folder; empty if the container is one array
 * @param grid the dimensions of the chunks that are files
 * @param keys how their files are called
 * @param fill the bytes of an element that was never written, little-endian; empty for all zeros
 * @param attributes of those of {@link dev.stoker.formats.shared.array.ValueAttributes} what it has
 * @param codecs how a chunk is stored; where chunks are shards, one of those in them
 */
record ZarrArray(
        String path,
        ElementType type,
        long[] shape,
        long[] grid,
        ChunkKeys keys,
        byte[] fill,
        Map<String, String> attributes,
        ChunkCodecs codecs,
        @Nullable Sharding sharding) {
    static final int MAX_RANK = 32;

    /** How the files of chunks are called: {@code c/1/2} or, as in Zarr 2, {@code 1.2}. */
    record ChunkKeys(String prefix, String separator) {
        String of(long[] index) {
            var key = new StringBuilder(prefix);
            for (long number : index) {
                key.append(key.isEmpty() ? "" : separator).append(number);
            }
            return key.isEmpty() ? "0" : key.toString();
        }
    }

    /**
     * How a file holds chunks.
     *
     * @param chunk their dimensions
     * @param indexAtEnd whether the index stands behind them, else before
     * @param checksum whether the index has a CRC32C
     */
    record Sharding(long[] chunk, boolean indexAtEnd, boolean checksum) {}

    String label() {
        return label(path);
    }

    static String label(String path) {
        return path.isEmpty() ? "the array" : "array '" + path + "'";
    }

    int rank() {
        return shape.length;
    }

    /** Rows: all that has the same first index. */
    long count() {
        return shape[0];
    }

    /** Whether each element has a length of its own. */
    boolean isVariable() {
        return type.bytes() < 0;
    }

    /** The dimensions of the smallest chunks. */
    long[] chunk() {
        return sharding == null ? grid : sharding.chunk;
    }

    /** Bytes of a row of the array. */
    long rowBytes() {
        return product(shape, 1, type.bytes());
    }

    long chunkElements() {
        return product(chunk(), 0, 1);
    }

    long chunkBytes() {
        return Math.multiplyExact(chunkElements(), type.bytes());
    }

    /** How many chunks there are along each dimension. */
    long across(int dimension) {
        return Math.ceilDiv(shape[dimension], chunk()[dimension]);
    }

    long chunks() {
        long chunks = 1;
        for (int d = 0; d < rank(); d++) {
            chunks = Math.multiplyExact(chunks, across(d));
        }
        return chunks;
    }

    private static long product(long[] numbers, int from, long factor) {
        long product = factor;
        for (int d = from; d < numbers.length; d++) {
            product = Math.multiplyExact(product, numbers[d]);
        }
        return product;
    }

    List<Long> rowShape() {
        return java.util.Arrays.stream(shape).skip(1).boxed().toList();
    }
}
