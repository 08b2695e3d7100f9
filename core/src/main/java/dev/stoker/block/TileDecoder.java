package dev.stoker.block;

import static dev.stoker.memory.Layouts.U32;
import static dev.stoker.memory.Layouts.U64;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Puts a block together from its {@link Tiles}. */
final class TileDecoder {
    private final int width;
    private final int rank;
    /** What the block holds: its samples, then a sample's own dimensions. */
    private final long[] shape;

    private final long[] tile;
    private final long[] grid;
    private final byte[] fill;
    private final Pipeline each;

    /** Where a tile's stored bytes come from. */
    interface Source {
        MemorySegment stored(int file, long offset, long length);
    }

    TileDecoder(Pipeline pipeline, long decodedBytes) {
        Tiles tiles = Tiles.of(pipeline);
        this.each = Tiles.each(pipeline);
        this.width = tiles.width();
        this.rank = tiles.tile().size();
        this.tile = tiles.tile().stream().mapToLong(Long::longValue).toArray();
        this.fill = new byte[width];
        for (int i = 0; i < width; i++) {
            fill[i] = tiles.fill().get(i);
        }
        this.shape = new long[rank];
        long sample = width;
        for (int d = 1; d < rank; d++) {
            shape[d] = tiles.sample().get(d - 1);
            sample = Math.multiplyExact(sample, shape[d]);
        }
        this.shape[0] = sample == 0 ? 0 : decodedBytes / sample;
        this.grid = new long[rank];
        for (int d = 0; d < rank; d++) {
            grid[d] = Math.ceilDiv(shape[d], tile[d]);
        }
    }

    void decode(MemorySegment list, Source source, MemorySegment to) throws IOException {
        long count = product(grid);
        if (list.byteSize() != Math.multiplyExact(count, Tiles.ENTRY_BYTES)) {
            throw new IOException("its list of " + count + " tiles has " + list.byteSize() + " bytes");
        }
        MemorySegment decoded = Decoded.allocate(Math.multiplyExact(product(tile), width));
        var position = new long[rank];
        for (long entry = 0; entry < list.byteSize(); entry += Tiles.ENTRY_BYTES) {
            long stored = list.get(U64, entry + 8);
            if (stored == 0) {
                fill(decoded);
            } else {
                each.decode(source.stored(list.get(U32, entry + 16), list.get(U64, entry), stored), decoded);
            }
            place(decoded, position, to);
            advance(position, grid);
        }
    }

    private void fill(MemorySegment decoded) {
        MemorySegment element = MemorySegment.ofArray(fill);
        for (long at = 0; at < decoded.byteSize(); at += width) {
            MemorySegment.copy(element, 0, decoded, at, width);
        }
    }

    /** Copies what of a tile lies inside the block, row by row of its last dimension. */
    private void place(MemorySegment decoded, long[] position, MemorySegment to) {
        var first = new long[rank];
        var rows = new long[rank];
        for (int d = 0; d < rank; d++) {
            first[d] = position[d] * tile[d];
            rows[d] = Math.min(tile[d], shape[d] - first[d]);
        }
        long run = rows[rank - 1] * width;
        rows[rank - 1] = 1;
        var row = new long[rank];
        for (long left = product(rows); left > 0; left--) {
            long from = 0;
            long at = 0;
            for (int d = 0; d < rank; d++) {
                from = from * tile[d] + row[d];
                at = at * shape[d] + first[d] + row[d];
            }
            MemorySegment.copy(decoded, from * width, to, at * width, run);
            advance(row, rows);
        }
    }

    private static long product(long[] factors) {
        return Arrays.stream(factors).reduce(1, Math::multiplyExact);
    }

    /** The next position in row-major order; after the last one comes the first. */
    private static void advance(long[] position, long[] limits) {
        for (int d = position.length - 1; d >= 0; d--) {
            if (++position[d] < limits[d]) {
                return;
            }
            position[d] = 0;
        }
    }
}
