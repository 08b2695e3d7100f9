package dev.stoker.formats.hdf5;

/**
 * How a dataset is cut into chunks.
 *
 * @param dimensions of the dataset
 * @param maxDimensions where it may grow to; -1 without a limit
 * @param chunk the dimensions of a chunk
 */
record ChunkGrid(long[] dimensions, long[] maxDimensions, long[] chunk, long elementBytes) {
    int rank() {
        return chunk.length;
    }

    long chunkBytes() {
        return Math.multiplyExact(rowBytes(), chunk[0]);
    }

    /** Bytes of a chunk that have the same first index. */
    long rowBytes() {
        long bytes = elementBytes;
        for (int d = 1; d < rank(); d++) {
            bytes = Math.multiplyExact(bytes, chunk[d]);
        }
        return bytes;
    }

    private static long across(long length, long chunk) {
        return length / chunk + (length % chunk == 0 ? 0 : 1);
    }

    /** The place of a chunk among all that the dataset has now, row after row. */
    long number(long[] chunkIndex) {
        long number = 0;
        for (int d = 0; d < rank(); d++) {
            number = Math.addExact(Math.multiplyExact(number, across(dimensions[d], chunk[d])), chunkIndex[d]);
        }
        return number;
    }

    /** The place of a chunk among all that the dataset can have; a dimension without a limit goes first. */
    long numberInArray(long[] chunkIndex) {
        int first = 0;
        for (int d = 0; d < rank(); d++) {
            first = maxDimensions[d] == -1 ? d : first;
        }
        long number = chunkIndex[first];
        for (int d = 0; d < rank(); d++) {
            if (d != first) {
                number = Math.addExact(Math.multiplyExact(number, across(maxDimensions[d], chunk[d])), chunkIndex[d]);
            }
        }
        return number;
    }
}
