package dev.stoker.formats.hdf5.structure;

import dev.stoker.block.CodecPipeline;

/**
 * How a dataset is cut into chunks.
 *
 * @param dimensions of the dataset
 * @param maxDimensions where it may grow to; -1 without a limit
 * @param chunk the dimensions of a chunk
 * @param decoding the steps that decode a chunk which went through all filters
 */
public record ChunkGrid(
        long[] dimensions, long[] maxDimensions, long[] chunk, long elementBytes, CodecPipeline decoding) {
    /** Whether chunks went through filters, so that each has a size of its own. */
    public boolean isFiltered() {
        return !decoding.isPlain();
    }

    public int rank() {
        return chunk.length;
    }

    public long chunkBytes() {
        return Math.multiplyExact(rowBytes(), chunk[0]);
    }

    /** Bytes of a chunk that have the same first index. */
    public long rowBytes() {
        long bytes = elementBytes;
        for (int d = 1; d < rank(); d++) {
            bytes = Math.multiplyExact(bytes, chunk[d]);
        }
        return bytes;
    }

    private static long across(long length, long chunk) {
        return length / chunk + (length % chunk == 0 ? 0 : 1);
    }

    /** How many chunks stand along a dimension. */
    public long across(int dimension) {
        return across(dimensions[dimension], chunk[dimension]);
    }

    /** Whether a chunk reaches over the dataset's end. */
    public boolean isPartial(long[] index) {
        boolean isPartial = false;
        for (int d = 0; d < rank(); d++) {
            isPartial |= dimensions[d] - index[d] * chunk[d] < chunk[d];
        }
        return isPartial;
    }

    /** A chunk that an index tells of, which should lie in the file and be able to make a chunk's bytes. */
    public Chunk chunk(FileBytes file, long place, long stored, int leftOut) {
        file.require(place, stored, "a chunk");
        if (stored == 0 && chunkBytes() > 0 || chunkBytes() > decoding.mostBytes(stored)) {
            throw file.corrupt(
                    place,
                    "a chunk of " + stored + " bytes cannot make the " + chunkBytes()
                            + " bytes of a chunk; the file is damaged");
        }
        return new Chunk(place, stored, leftOut);
    }

    /** The place of a chunk among all that the dataset has now, row after row. */
    long number(long[] chunkIndex) {
        long number = 0;
        for (int d = 0; d < rank(); d++) {
            number = Math.addExact(Math.multiplyExact(number, across(d)), chunkIndex[d]);
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
