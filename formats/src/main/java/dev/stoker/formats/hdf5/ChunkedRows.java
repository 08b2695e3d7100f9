package dev.stoker.formats.hdf5;

import java.lang.foreign.MemorySegment;

/** Rows in chunks: each in one piece if a chunk holds it whole, else gathered piece by piece. */
final class ChunkedRows extends Rows {
    private final ChunkGrid grid;
    private final Chunks chunks;
    private final FillValue fill;
    private final boolean isWhole;
    private final long chunkRowBytes;

    ChunkedRows(Dataset dataset, ChunkGrid grid, Chunks chunks) {
        super(dataset);
        this.grid = grid;
        this.chunks = chunks;
        this.fill = FillValue.of(dataset);
        this.isWhole = isWhole(grid);
        this.chunkRowBytes = grid.rowBytes();
    }

    /** A chunk as wide as the dataset; its second dimension may be wider, since what is too much then lies behind. */
    private static boolean isWhole(ChunkGrid grid) {
        boolean isWhole = grid.rank() < 2 || grid.chunk()[1] >= grid.dimensions()[1];
        for (int d = 2; d < grid.rank(); d++) {
            isWhole &= grid.chunk()[d] == grid.dimensions()[d];
        }
        return isWhole;
    }

    @Override
    long place(long row) {
        if (!isWhole) {
            return -1;
        }
        long chunk = chunks.place(index(row));
        return chunk == FileBytes.UNDEFINED ? -1 : chunk + row % grid.chunk()[0] * chunkRowBytes;
    }

    /** The chunk that a row begins in. */
    private long[] index(long row) {
        long[] index = new long[grid.rank()];
        index[0] = row / grid.chunk()[0];
        return index;
    }

    @Override
    boolean isInFile() {
        if (!isWhole) {
            return false;
        }
        for (long row = 0; row < count(); row = row - row % grid.chunk()[0] + grid.chunk()[0]) {
            if (place(row) < 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    void copy(long row, MemorySegment to) {
        long place = place(row);
        if (place >= 0) {
            MemorySegment.copy(dataset().file().bytes(), place, to, 0, bytes());
        } else if (bytes() > 0) {
            gather(row, to);
        }
    }

    /** Copies line after line; a line runs along the last dimension and is cut where chunks end. */
    private void gather(long row, MemorySegment to) {
        int last = grid.rank() - 1;
        long[] at = new long[grid.rank()];
        at[0] = row;
        for (long done = 0; done < bytes(); ) {
            long lineEnd = last == 0 ? row + 1 : grid.dimensions()[last];
            long inChunk = at[last] % grid.chunk()[last];
            long elements = Math.min(grid.chunk()[last] - inChunk, lineEnd - at[last]);
            long length = elements * grid.elementBytes();
            copyPiece(at, to.asSlice(done, length));
            done += length;
            at[last] += elements;
            for (int d = last; d > 1 && at[d] == grid.dimensions()[d]; d--) {
                at[d] = 0;
                at[d - 1]++;
            }
        }
    }

    private void copyPiece(long[] at, MemorySegment to) {
        long[] index = new long[at.length];
        long offset = 0;
        for (int d = 0; d < at.length; d++) {
            index[d] = at[d] / grid.chunk()[d];
            offset = offset * grid.chunk()[d] + at[d] % grid.chunk()[d];
        }
        long chunk = chunks.place(index);
        if (chunk == FileBytes.UNDEFINED) {
            fill.fill(to);
        } else {
            long place = chunk + offset * grid.elementBytes();
            dataset().file().require(place, to.byteSize(), "a piece of a chunk");
            MemorySegment.copy(dataset().file().bytes(), place, to, 0, to.byteSize());
        }
    }
}
