package dev.stoker.block;

import static dev.stoker.io.LittleEndian.U32;
import static dev.stoker.io.LittleEndian.U64;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Puts a block together from its {@link TileLayout}. */
final class TileDecoder {
    private final int width;
    private final int rank;
    /** What the block holds: its samples, then a sample's own dimensions. */
    private final long[] shape;

    private final long[] tile;
    private final long[] grid;
    private final byte[] fill;
    private final CodecPipeline pipeline;
    private MemorySegment buffer = MemorySegment.NULL;

    /** Where a tile's stored bytes come from. */
    interface Source {
        MemorySegment stored(int file, long offset, long length);
    }

    TileDecoder(CodecPipeline pipeline, long decodedBytes) {
        TileLayout tiles = TileLayout.of(pipeline);
        this.pipeline = pipeline;
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
        if (list.byteSize() != Math.multiplyExact(count, TileLayout.ENTRY_BYTES)) {
            throw new IOException("its list of " + count + " tiles has " + list.byteSize() + " bytes");
        }
        if (hasHoles(list)) {
            fill(to);
        }
        var position = new long[rank];
        for (long entry = 0; entry < list.byteSize(); entry += TileLayout.ENTRY_BYTES) {
            long offset = list.get(U64, entry);
            long stored = list.get(U64, entry + 8);
            if (stored != 0) {
                MemorySegment from = source.stored(list.get(U32, entry + 16), offset, stored);
                place(decoded(from, offset, TileLayout.each(pipeline, list.get(U32, entry + 20))), position, to);
            }
            advance(position, grid);
        }
    }

    private static boolean hasHoles(MemorySegment list) {
        for (long entry = 0; entry < list.byteSize(); entry += TileLayout.ENTRY_BYTES) {
            if (list.get(U64, entry + 8) == 0) {
                return true;
            }
        }
        return false;
    }

    private MemorySegment decoded(MemorySegment stored, long offset, CodecPipeline each) throws IOException {
        long bytes = Math.multiplyExact(product(tile), width);
        if (each.isPlain() && stored.byteSize() == bytes) {
            return stored;
        }
        // Not before a tile is stored: it may be far larger than the array, and not be there.
        buffer = buffer.byteSize() > 0 ? buffer : DecodedMemory.allocate(bytes);
        try {
            each.decode(stored, buffer);
            return buffer;
        } catch (IOException e) {
            throw new IOException("the tile at byte " + offset + ": " + e.getMessage(), e);
        }
    }

    /** The whole block at once, by doubling what is filled already: holes may be all there is, each of a few bytes. */
    private void fill(MemorySegment block) {
        MemorySegment.copy(MemorySegment.ofArray(fill), 0, block, 0, Math.min(width, block.byteSize()));
        for (long done = width; done < block.byteSize(); done *= 2) {
            MemorySegment.copy(block, 0, block, done, Math.min(done, block.byteSize() - done));
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
