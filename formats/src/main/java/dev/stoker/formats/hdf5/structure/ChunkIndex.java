package dev.stoker.formats.hdf5.structure;

import org.jspecify.annotations.Nullable;

/** Finds the chunks of a dataset. */
public interface ChunkIndex {
    /**
     * A chunk, or null if it was never written.
     *
     * @param index the chunk's place in the grid, one number for each dimension
     */
    @Nullable
    Chunk find(long[] index);

    /** One chunk that is as large as the dataset. */
    static ChunkIndex single(FileBytes file, ChunkGrid grid, @Nullable Chunk chunk) {
        return index -> {
            if (grid.number(index) != 0) {
                throw file.corrupt(-1, "a dataset of one chunk needs more of them");
            }
            return chunk;
        };
    }

    /** All chunks one after another; only those that did not go through filters lie so. */
    static ChunkIndex implicit(FileBytes file, ChunkGrid grid, long address) {
        long bytes = grid.chunkBytes();
        if (grid.isFiltered()) {
            throw file.corrupt(address, "chunks that went through filters need an index");
        }
        return index -> {
            if (address == FileBytes.UNDEFINED) {
                return null;
            }
            long place = Math.addExact(address, Math.multiplyExact(bytes, grid.numberInArray(index)));
            return grid.chunk(file, place, bytes, 0);
        };
    }
}
