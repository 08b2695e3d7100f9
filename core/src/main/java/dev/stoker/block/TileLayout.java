package dev.stoker.block;

import java.util.ArrayList;
import java.util.List;

/**
 * How a block is stored as tiles: arrays in HDF5 and Zarr may be cut along every dimension, so that a sample lies in
 * many chunks. The block's decoded bytes are whole samples, row-major; its stored bytes are a list in the Index, for
 * each tile u64 offset, u64 length, u32 file, u32 bits, in row-major order of the grid. A tile of length 0 is not
 * stored: it holds the fill value. Tiles at the edge are stored whole. The bits say which of the steps that decode a
 * tile are left out for this one, the lowest being the first step.
 *
 * <p>In a pipeline this is a step of that name, followed by the steps that decode each tile. Its numbers: bytes of an
 * element, number of dimensions, the array's dimensions without the first (which counts the samples), the tile's
 * dimensions, and the fill value's bytes.
 *
 * @param width bytes of an element
 * @param sample the dimensions of a sample; may be none
 * @param tile the dimensions of a tile, samples first: one more than a sample has
 * @param fill the bytes of an element that is not stored
 */
public record TileLayout(int width, List<Long> sample, List<Long> tile, List<Byte> fill) {
    static final String NAME = "tiles";
    static final int ENTRY_BYTES = 24;

    /**
     * Where a tile is stored.
     *
     * @param stored how many bytes; 0 if it is not
     * @param leftOut the steps that this tile did not go through, the lowest bit being the first
     */
    public record Place(int file, long offset, long stored, int leftOut) {
        /** A tile that is not stored. */
        public static final Place NOWHERE = new Place(0, 0, 0);

        /** A tile that went through all steps. */
        public Place(int file, long offset, long stored) {
            this(file, offset, stored, 0);
        }
    }

    public TileLayout {
        sample = List.copyOf(sample);
        tile = List.copyOf(tile);
        fill = List.copyOf(fill);
        if (width <= 0 || tile.size() != sample.size() + 1 || fill.size() != width) {
            throw new IllegalArgumentException("tiles of " + tile + " for samples of " + sample);
        }
    }

    /** Whether a block with these steps is stored as tiles. */
    public static boolean is(CodecPipeline pipeline) {
        return !pipeline.isPlain() && pipeline.steps().getFirst().codec().equals(NAME);
    }

    /** The steps of a block whose tiles are decoded so. */
    public CodecPipeline before(CodecPipeline each) {
        var numbers = new ArrayList<Long>();
        numbers.add((long) width);
        numbers.add((long) tile.size());
        numbers.addAll(sample);
        numbers.addAll(tile);
        fill.forEach(value -> numbers.add((long) value));
        var steps = new ArrayList<CodecPipeline.Step>();
        steps.add(new CodecPipeline.Step(NAME, numbers));
        steps.addAll(each.steps());
        return new CodecPipeline(steps);
    }

    /** Reads what {@link #before} made. */
    static TileLayout of(CodecPipeline pipeline) {
        List<Long> numbers = pipeline.steps().getFirst().numbers();
        int width = Math.toIntExact(numbers.get(0));
        int rank = Math.toIntExact(numbers.get(1));
        int tileAt = 1 + rank;
        return new TileLayout(
                width,
                numbers.subList(2, tileAt),
                numbers.subList(tileAt, tileAt + rank),
                numbers.subList(tileAt + rank, tileAt + rank + width).stream()
                        .map(Long::byteValue)
                        .toList());
    }

    /** The steps that decode a tile, without those that it did not go through. */
    static CodecPipeline each(CodecPipeline pipeline, int leftOut) {
        var steps = new ArrayList<CodecPipeline.Step>();
        for (int i = 1; i < pipeline.steps().size(); i++) {
            if (i > Integer.SIZE || (leftOut >>> i - 1 & 1) == 0) {
                steps.add(pipeline.steps().get(i));
            }
        }
        return new CodecPipeline(steps);
    }
}
