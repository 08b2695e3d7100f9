package dev.stoker.index;

import dev.stoker.StokerException;
import dev.stoker.block.BlockCache;
import dev.stoker.block.BlockReader;
import dev.stoker.block.BlockTable;
import dev.stoker.block.CodecPipeline;
import dev.stoker.block.TileLayout;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the table of a container's blocks, row by row. See {@link BlockTable} for what a row means. */
public final class BlockRows implements AutoCloseable {
    private final List<CodecPipeline> pipelines = new ArrayList<>();
    private final List<String> files = new ArrayList<>();
    private final GrowingBuffer rows = new GrowingBuffer();
    private final GrowingBuffer tiles = new GrowingBuffer();
    private @Nullable TileLayout lastShape;
    private CodecPipeline lastEach = CodecPipeline.NONE;
    private CodecPipeline lastSteps = CodecPipeline.NONE;
    private long decodedBytes;

    /**
     * The next block.
     *
     * @param file 0 for the container itself, else what {@link #file} gave
     * @param decoded how many bytes the stored ones make
     * @return where its first byte lies among the decoded bytes
     */
    public long add(int file, long offset, long stored, long decoded, CodecPipeline pipeline) {
        return addPart(file, offset, stored, decoded, 0, decoded, pipeline);
    }

    /** The next block, of which only some of the decoded bytes are wanted: so many, after skipping others. */
    public long addPart(
            int file, long offset, long stored, long decoded, long skip, long bytes, CodecPipeline pipeline) {
        if (decoded > BlockTable.MAX_BLOCK_BYTES) {
            throw new StokerException("a block at byte " + offset + " that is decoded to " + decoded
                    + " bytes is too large: at most " + BlockTable.MAX_BLOCK_BYTES
                    + " are decoded at once; write the file with smaller blocks (chunks, row groups, members)");
        }
        if (offset < 0 || stored < 0 || skip < 0 || bytes < 0 || decoded - skip < bytes) {
            throw new IllegalArgumentException("a block of " + bytes + " bytes after " + skip + " of " + decoded);
        }
        long address = decodedBytes;
        rows.addLong(address);
        rows.addLong(offset);
        rows.addLong(stored);
        rows.addLong(decoded | skip << 32);
        rows.addLong(number(pipeline) | (long) file << 32);
        decodedBytes = Math.addExact(decodedBytes, bytes);
        return address;
    }

    /**
     * The next block, stored as tiles.
     *
     * @param places where each tile is stored, in row-major order of the grid
     * @param decoded how many bytes the block's samples have
     * @param each how a tile is decoded
     */
    public long addTiles(List<TileLayout.Place> places, long decoded, TileLayout shape, CodecPipeline each) {
        // Counted from the section's first byte for now: where that lies is known when all are there.
        long offset = tiles.size();
        for (TileLayout.Place place : places) {
            tiles.addLong(place.offset());
            tiles.addLong(place.stored());
            tiles.addLong(place.file() | (long) place.leftOut() << 32);
        }
        return add(0, offset, tiles.size() - offset, decoded, steps(shape, each));
    }

    /** Millions of blocks have the same shape. */
    private CodecPipeline steps(TileLayout shape, CodecPipeline each) {
        if (!shape.equals(lastShape) || !each.equals(lastEach)) {
            lastShape = shape;
            lastEach = each;
            lastSteps = shape.before(each);
        }
        return lastSteps;
    }

    private int number(CodecPipeline pipeline) {
        int known = pipelines.lastIndexOf(pipeline);
        if (known >= 0) {
            return known;
        }
        pipelines.add(pipeline);
        return pipelines.size() - 1;
    }

    /** Reads the blocks that were added so far; what is added later, and closing this, changes nothing for it. */
    public BlockReader reader(BlockReader.Files stored, BlockCache cache) {
        MemorySegment list = Arena.ofAuto().allocate(tiles.size(), 8).copyFrom(tiles.bytes());
        MemorySegment table = Arena.ofAuto().allocate(rows.size() + BlockTable.ROW_BYTES, 8);
        table.copyFrom(rows.bytes());
        table.set(LittleEndian.U64, rows.size(), decodedBytes);
        return new BlockReader(new BlockTable("the Index", table, pipelines, files), list, stored, cache);
    }

    /** Adds a file below the container's folder, by its path from there, and gives its number. */
    public int file(String path) {
        files.add(path);
        return files.size();
    }

    /** How many decoded bytes the blocks have by now: where the next one begins. */
    public long decodedBytes() {
        return decodedBytes;
    }

    long count() {
        return rows.size() / BlockTable.ROW_BYTES;
    }

    long tileBytes() {
        return tiles.size();
    }

    BlockMeta meta() {
        return new BlockMeta(pipelines, files);
    }

    BlockTable table(IndexLayout layout, MemorySegment index) {
        MemorySegment table = index.asSlice(layout.blocks(), rows.size() + BlockTable.ROW_BYTES);
        return new BlockTable("the Index", table, pipelines, files);
    }

    void write(IndexLayout layout, MemorySegment to) {
        MemorySegment.copy(tiles.bytes(), 0, to, layout.tiles(), tiles.size());
        MemorySegment table = to.asSlice(layout.blocks(), rows.size() + BlockTable.ROW_BYTES);
        MemorySegment.copy(rows.bytes(), 0, table, 0, rows.size());
        for (long row = 0; row < rows.size(); row += BlockTable.ROW_BYTES) {
            if (TileLayout.is(pipelines.get(table.get(LittleEndian.U32, row + BlockTable.PIPELINE)))) {
                long offset = table.get(LittleEndian.U64, row + BlockTable.OFFSET);
                table.set(LittleEndian.U64, row + BlockTable.OFFSET, offset + layout.tiles());
            }
        }
        table.set(LittleEndian.U64, rows.size(), decodedBytes);
    }

    @Override
    public void close() {
        rows.close();
        tiles.close();
    }
}
