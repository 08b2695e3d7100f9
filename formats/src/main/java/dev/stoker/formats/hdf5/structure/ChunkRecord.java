package dev.stoker.formats.hdf5.structure;

import org.jspecify.annotations.Nullable;

/**
 * How an index of chunks writes down one of them: its address and, if chunks went through filters, its size and the
 * filters that were left out.
 *
 * @param sizeBytes how many bytes the size has; 0 if chunks are stored as they are
 */
record ChunkRecord(FileBytes file, ChunkGrid grid, int sizeBytes) {
    private static final int LEFT_OUT_BYTES = 4;

    /**
     * @param bytes how long the index says that a record is, without what it is found by
     * @param at the place of the index
     */
    static ChunkRecord of(FileBytes file, ChunkGrid grid, int bytes, long at) {
        int more = bytes - file.offsetBytes();
        int sizeBytes = grid.isFiltered() ? more - LEFT_OUT_BYTES : more;
        boolean isRight = grid.isFiltered() ? sizeBytes >= 1 && sizeBytes <= 8 : sizeBytes == 0;
        if (!isRight) {
            throw file.corrupt(
                    at,
                    "an index of chunks that " + (grid.isFiltered() ? "went" : "did not go")
                            + " through filters has records of " + bytes + " bytes, which cannot be");
        }
        return new ChunkRecord(file, grid, sizeBytes);
    }

    int bytes() {
        return file.offsetBytes() + (sizeBytes == 0 ? 0 : sizeBytes + LEFT_OUT_BYTES);
    }

    /** The chunk, or null if it was never written. */
    @Nullable
    Chunk read(long at) {
        long place = file.address(at);
        if (place == FileBytes.UNDEFINED) {
            return null;
        }
        if (sizeBytes == 0) {
            return grid.chunk(file, place, grid.chunkBytes(), 0);
        }
        long size = file.uint(at + file.offsetBytes(), sizeBytes);
        return grid.chunk(file, place, size, (int) file.u32(at + file.offsetBytes() + sizeBytes));
    }
}
