package dev.stoker.formats.hdf5.structure;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Chunks that a B-tree lists. */
public final class ChunkTable implements ChunkIndex {
    /** The types of a tree's records. */
    private static final int PLAIN = 10;

    private static final int FILTERED = 11;

    private final ChunkGrid grid;
    private final Map<Long, Chunk> chunks = new HashMap<>();

    private ChunkTable(ChunkGrid grid) {
        this.grid = grid;
    }

    public static ChunkTable ofOldTree(FileBytes file, ChunkGrid grid, long root) {
        var table = new ChunkTable(grid);
        // A key: bytes of the chunk, filters left out, and the chunk's first element in each dimension and a zero.
        new BTree1(file, root, 1, 8 + 8 * (grid.rank() + 1)).leaves((key, child) -> {
            long[] index = new long[grid.rank()];
            for (int d = 0; d < index.length; d++) {
                index[d] = file.uint(key + 8 + 8L * d, 8) / grid.chunk()[d];
            }
            long stored = grid.isFiltered() ? file.u32(key) : grid.chunkBytes();
            table.add(file, index, grid.chunk(file, child, stored, (int) file.u32(key + 4)), key);
        });
        return table;
    }

    public static ChunkTable ofTree(FileBytes file, ChunkGrid grid, long header) {
        var table = new ChunkTable(grid);
        if (header == FileBytes.UNDEFINED) {
            return table;
        }
        new BTree2(file, header, grid.isFiltered() ? FILTERED : PLAIN).records((at, bytes) -> {
            var record = ChunkRecord.of(file, grid, bytes - 8 * grid.rank(), at);
            long[] index = new long[grid.rank()];
            for (int d = 0; d < index.length; d++) {
                index[d] = file.uint(at + record.bytes() + 8L * d, 8);
            }
            Chunk chunk = record.read(at);
            if (chunk != null) {
                table.add(file, index, chunk, at);
            }
        });
        return table;
    }

    private void add(FileBytes file, long[] index, Chunk chunk, long at) {
        for (int d = 0; d < index.length; d++) {
            if (index[d] < 0 || index[d] >= grid.across(d)) {
                // Chunks behind the end remain when a dataset shrinks.
                return;
            }
        }
        if (chunks.put(grid.number(index), chunk) != null) {
            throw file.corrupt(at, "a chunk is listed twice");
        }
    }

    @Override
    public @Nullable Chunk find(long[] index) {
        return chunks.get(grid.number(index));
    }
}
