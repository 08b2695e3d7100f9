package dev.stoker.formats.hdf5;

/** Finds the chunks of a dataset. */
interface Chunks {
    /**
     * The place of a chunk in the file, or {@link FileBytes#UNDEFINED} if it was never written.
     *
     * @param index the chunk's place in the grid, one number for each dimension
     */
    long place(long[] index);

    /** One chunk that is as large as the dataset. */
    static Chunks single(FileBytes file, ChunkGrid grid, long address) {
        if (address != FileBytes.UNDEFINED) {
            file.require(address, grid.chunkBytes(), "a chunk");
        }
        return index -> {
            if (grid.number(index) != 0) {
                throw file.corrupt(address, "a dataset of one chunk needs more of them");
            }
            return address;
        };
    }

    /** All chunks one after another. */
    static Chunks implicit(FileBytes file, ChunkGrid grid, long address) {
        long bytes = grid.chunkBytes();
        return index -> {
            if (address == FileBytes.UNDEFINED) {
                return FileBytes.UNDEFINED;
            }
            long place = Math.addExact(address, Math.multiplyExact(bytes, grid.numberInArray(index)));
            file.require(place, bytes, "a chunk");
            return place;
        };
    }
}
