package dev.stoker.formats.hdf5.read;

import dev.stoker.block.CodecPipeline;
import dev.stoker.block.TileLayout;
import dev.stoker.formats.hdf5.structure.DatasetHeader;
import dev.stoker.formats.hdf5.structure.FillValue;
import dev.stoker.index.BlockRows;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Blocks of a dataset that are stored in tiles, or not at all. */
final class TiledBlocks {
    /** A fill value is kept in the Index if it is not longer. */
    private static final int MAX_FILL_BYTES = 256;
    /** A block of which next to nothing is stored may not be larger: a small file must not take much memory. */
    private static final long MAX_UNSTORED_BYTES = 256 << 20;

    private final DatasetHeader dataset;
    private final FillValue fill;
    /** The shape of a block of which nothing is stored, as of the last one. */
    private @Nullable TileLayout unstored;

    private long unstoredBytes;

    TiledBlocks(DatasetHeader dataset, int turned) {
        this.dataset = dataset;
        this.fill = FillValue.of(dataset).turned(turned);
    }

    /** A block of which nothing is stored. */
    void add(BlockRows blocks, long bytes) {
        requireFew(1);
        requireStored(bytes, 0, 0);
        if (unstored == null || unstoredBytes != bytes) {
            long width = width(true);
            unstored = tiles(width, List.of(), List.of(bytes / width));
            unstoredBytes = bytes;
        }
        blocks.addTiles(List.of(TileLayout.Place.NOWHERE), bytes, unstored, CodecPipeline.NONE);
    }

    /**
     * A block of tiles.
     *
     * @param tile the dimensions of a tile, in elements
     */
    void add(BlockRows blocks, List<TileLayout.Place> places, long bytes, long[] tile, CodecPipeline each) {
        long stored = 0;
        long holes = 0;
        for (TileLayout.Place place : places) {
            stored += place.stored();
            holes += place.stored() == 0 ? 1 : 0;
        }
        if (stored == 0) {
            add(blocks, bytes);
            return;
        }
        requireFew(holes);
        requireStored(bytes, stored, each.mostBytes(stored));
        long width = width(holes > 0);
        // Elements of many bytes are as well rows of that many elements of few.
        long more = dataset.type().bytes() / width;
        var sample = new ArrayList<Long>();
        var dimensions = new ArrayList<Long>();
        for (int d = 0; d < tile.length; d++) {
            long factor = d == tile.length - 1 ? more : 1;
            dimensions.add(Math.multiplyExact(tile[d], factor));
            if (d > 0) {
                sample.add(Math.multiplyExact(dataset.dimensions()[d], factor));
            }
        }
        blocks.addTiles(places, bytes, tiles(width, sample, dimensions), each);
    }

    /** A file of a few bytes can claim any number of pieces that are not there, and each has a place in the Index. */
    private void requireFew(long unstored) {
        if (!dataset.file().limits().unstored().take(unstored)) {
            throw dataset.file()
                    .unsupported("with " + dataset.label() + " it has too many pieces of which nothing is stored, and"
                            + " each would take memory; store it in larger chunks: h5repack -l CHUNK=... IN OUT");
        }
    }

    /** @param most how many bytes the stored ones can make */
    private void requireStored(long bytes, long stored, long most) {
        if (bytes > MAX_UNSTORED_BYTES && bytes > most) {
            throw dataset.file()
                    .unsupported(dataset.label() + " has pieces of " + bytes + " bytes of which " + stored
                            + " are stored; Stoker fills in at most " + MAX_UNSTORED_BYTES
                            + "; store it in smaller chunks: h5repack -l CHUNK=1x... IN OUT");
        }
    }

    /** The width of an element that is filled in: any will do for zeros. */
    private long width(boolean isHoley) {
        if (!isHoley || fill.isZero()) {
            return 1;
        }
        long width = dataset.type().bytes();
        if (width > MAX_FILL_BYTES) {
            throw dataset.file()
                    .unsupported(dataset.label() + " has parts that were never written, and a fill value of " + width
                            + " bytes; Stoker reads those of at most " + MAX_FILL_BYTES + ", or zeros");
        }
        return width;
    }

    private TileLayout tiles(long width, List<Long> sample, List<Long> tile) {
        var bytes = new ArrayList<Byte>();
        for (int i = 0; i < width; i++) {
            bytes.add(fill.isZero() || width == 1 && dataset.type().bytes() > 1 ? 0 : fill.element()[i]);
        }
        return new TileLayout((int) width, sample, tile, bytes);
    }
}
