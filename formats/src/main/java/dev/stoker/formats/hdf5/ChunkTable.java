package dev.stoker.formats.hdf5;

import java.util.HashMap;
import java.util.Map;

/** Chunks that a B-tree lists. */
final class ChunkTable implements Chunks {
    private final ChunkGrid grid;
    private final Map<Long, Long> places = new HashMap<>();

    private ChunkTable(ChunkGrid grid) {
        this.grid = grid;
    }

    static ChunkTable ofOldTree(FileBytes file, ChunkGrid grid, long root) {
        var table = new ChunkTable(grid);
        // A key: bytes of the chunk, filters left out, and the chunk's first element in each dimension and a zero.
        new BTree1(file, root, 1, 8 + 8 * (grid.rank() + 1)).leaves((key, child) -> {
            long[] index = new long[grid.rank()];
            for (int d = 0; d < index.length; d++) {
                index[d] = file.uint(key + 8 + 8L * d, 8) / grid.chunk()[d];
            }
            table.add(file, index, child, key);
        });
        return table;
    }

    static ChunkTable ofTree(FileBytes file, ChunkGrid grid, long header) {
        var table = new ChunkTable(grid);
        if (header == FileBytes.UNDEFINED) {
            return table;
        }
        new BTree2(file, header, 10).records((record, bytes) -> {
            if (bytes != file.offsetBytes() + 8 * grid.rank()) {
                throw file.corrupt(record, "the record of a chunk has " + bytes + " bytes");
            }
            long[] index = new long[grid.rank()];
            for (int d = 0; d < index.length; d++) {
                index[d] = file.uint(record + file.offsetBytes() + 8L * d, 8);
            }
            table.add(file, index, file.address(record), record);
        });
        return table;
    }

    private void add(FileBytes file, long[] index, long place, long at) {
        for (int d = 0; d < index.length; d++) {
            if (index[d] < 0 || index[d] > grid.dimensions()[d] / grid.chunk()[d]) {
                // Chunks behind the end remain when a dataset shrinks.
                return;
            }
        }
        file.require(place, grid.chunkBytes(), "a chunk");
        if (places.put(grid.number(index), place) != null) {
            throw file.corrupt(at, "a chunk is listed twice");
        }
    }

    @Override
    public long place(long[] index) {
        return places.getOrDefault(grid.number(index), FileBytes.UNDEFINED);
    }
}
