package dev.stoker.formats.hdf5.read;

import dev.stoker.block.CodecPipeline;
import dev.stoker.block.TileLayout;
import dev.stoker.formats.hdf5.structure.Chunk;
import dev.stoker.formats.hdf5.structure.ChunkGrid;
import dev.stoker.formats.hdf5.structure.ChunkIndex;
import dev.stoker.formats.hdf5.structure.DatasetHeader;
import dev.stoker.formats.hdf5.structure.FilterPipeline;
import dev.stoker.index.BlockRows;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows in chunks. Those that did not go through filters lie in the file, each in one piece if a chunk holds it whole;
 * all others are decoded in blocks: a chunk, or as many tiles as stand beside each other.
 */
final class ChunkedRows extends DatasetRows {
    private final ChunkGrid grid;
    private final ChunkIndex chunks;
    private final FilterPipeline filters;
    /** Whether chunks that reach over the end were stored as they are. */
    private final boolean isEdgePlain;
    /** Chunks beside each other that make whole rows. */
    private final long beside;

    private final boolean isInFile;
    private final long storedRows;

    ChunkedRows(DatasetHeader dataset, ChunkGrid grid, ChunkIndex chunks, FilterPipeline filters, boolean isEdgePlain) {
        super(dataset);
        this.grid = grid;
        this.chunks = chunks;
        this.filters = filters;
        this.isEdgePlain = isEdgePlain;
        long product = 1;
        for (int d = 1; d < grid.rank(); d++) {
            product = Math.multiplyExact(product, grid.across(d));
        }
        this.beside = product;
        if (!dataset.file().limits().chunks().take(Math.multiplyExact(product, grid.across(0)))) {
            throw dataset.file()
                    .unsupported("with " + dataset.label() + " it has more chunks than bytes;"
                            + " store it in larger chunks: h5repack -l CHUNK=1000x... IN OUT");
        }
        boolean isWhole = filters.isEmpty() && isWhole(grid);
        long found = 0;
        long bytes = 0;
        for (long band = 0; band < grid.across(0) && !isEmpty(); band++) {
            long stored = storedBytes(band);
            isWhole &= stored > 0;
            found += stored > 0 ? Math.min(grid.chunk()[0], count() - band * grid.chunk()[0]) : 0;
            bytes += stored;
        }
        if (bytes > dataset.file().size()) {
            throw dataset.file()
                    .corrupt(-1, dataset.label() + " has chunks of " + bytes + " bytes, more than the file");
        }
        this.isInFile = isWhole || isEmpty();
        this.storedRows = found;
    }

    private long storedBytes(long band) {
        long bytes = 0;
        for (TileLayout.Place place : places(band)) {
            bytes += place.stored();
        }
        return bytes;
    }

    /** A chunk as wide as the dataset; its second dimension may be wider, since what is too much then lies behind. */
    private static boolean isWhole(ChunkGrid grid) {
        boolean isWhole = grid.rank() < 2 || grid.chunk()[1] >= grid.dimensions()[1];
        for (int d = 2; d < grid.rank(); d++) {
            isWhole &= grid.chunk()[d] == grid.dimensions()[d];
        }
        return isWhole;
    }

    /** Whether the decoded bytes of a chunk are rows and nothing else. */
    private boolean isExact() {
        return grid.rowBytes() == bytes() && isWhole(grid);
    }

    @Override
    long place(long row) {
        if (!isInFile || isEmpty()) {
            return -1;
        }
        Chunk chunk = chunks.find(index(row / grid.chunk()[0]));
        return chunk == null ? -1 : chunk.place() + row % grid.chunk()[0] * grid.rowBytes();
    }

    /** The first chunk of those beside each other. */
    private long[] index(long band) {
        long[] index = new long[grid.rank()];
        index[0] = band;
        return index;
    }

    @Override
    boolean isInFile() {
        return isInFile;
    }

    @Override
    long storedRows() {
        return storedRows;
    }

    @Override
    long blockBytes() {
        long rows = Math.min(count(), grid.chunk()[0]);
        return isEmpty() ? 0 : Math.max(grid.isFiltered() ? grid.chunkBytes() : 0, Math.multiplyExact(rows, bytes()));
    }

    @Override
    void addBlocks(BlockRows blocks, int turned) {
        if (isEmpty()) {
            return;
        }
        var tiles = new TiledBlocks(dataset(), turned);
        for (long band = 0; band < grid.across(0); band++) {
            long rows = Math.min(grid.chunk()[0], count() - band * grid.chunk()[0]);
            if (isExact()) {
                addChunk(blocks, chunks.find(index(band)), band, rows, tiles, turned);
            } else if (filters.isEmpty() && Math.multiplyExact(rows, bytes()) > BLOCK_BYTES) {
                addRowByRow(blocks, places(band), rows, tiles, turned);
            } else {
                requireDecodable(blockBytes());
                tiles.add(blocks, places(band), rows * bytes(), grid.chunk(), turned(filters.pipeline(0), turned));
            }
        }
    }

    private void addChunk(
            BlockRows blocks, @Nullable Chunk chunk, long band, long rows, TiledBlocks tiles, int turned) {
        requireDecodable(Math.multiplyExact(rows, bytes()));
        if (chunk == null) {
            tiles.add(blocks, rows * bytes());
            return;
        }
        int leftOut = leftOut(chunk, index(band));
        if (filters.isNone(leftOut)) {
            blocks.add(0, chunk.place(), rows * bytes(), rows * bytes(), turned(CodecPipeline.NONE, turned));
            return;
        }
        requireDecodable(grid.chunkBytes());
        CodecPipeline pipeline = turned(filters.pipeline(leftOut), turned);
        blocks.addPart(0, chunk.place(), chunk.stored(), grid.chunkBytes(), 0, rows * bytes(), pipeline);
    }

    /** Large tiles that are stored as they are need not be read whole for one row. */
    private void addRowByRow(BlockRows blocks, List<TileLayout.Place> band, long rows, TiledBlocks tiles, int turned) {
        requireDecodable(bytes());
        long[] tile = grid.chunk().clone();
        tile[0] = 1;
        for (long row = 0; row < rows; row++) {
            var places = new ArrayList<TileLayout.Place>();
            for (TileLayout.Place whole : band) {
                places.add(
                        whole.stored() == 0
                                ? whole
                                : new TileLayout.Place(0, whole.offset() + row * grid.rowBytes(), grid.rowBytes()));
            }
            tiles.add(blocks, places, bytes(), tile, turned(CodecPipeline.NONE, turned));
        }
    }

    /** The chunks beside each other, in row-major order. */
    private List<TileLayout.Place> places(long band) {
        var places = new ArrayList<TileLayout.Place>();
        long[] index = index(band);
        for (long left = beside; left > 0; left--) {
            Chunk chunk = chunks.find(index);
            places.add(
                    chunk == null
                            ? TileLayout.Place.NOWHERE
                            : new TileLayout.Place(
                                    0, chunk.place(), chunk.stored(), filters.stepsLeftOut(leftOut(chunk, index))));
            for (int d = grid.rank() - 1; d > 0 && ++index[d] == grid.across(d); d--) {
                index[d] = 0;
            }
        }
        return places;
    }

    private int leftOut(Chunk chunk, long[] index) {
        return isEdgePlain && grid.isPartial(index) ? filters.all() : chunk.leftOut();
    }
}
