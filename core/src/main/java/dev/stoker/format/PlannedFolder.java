package dev.stoker.format;

import dev.stoker.block.BlockTable;
import dev.stoker.block.CodecPipeline;
import dev.stoker.index.BlockMeta;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/**
 * The files of a planned container that is a folder, as if they lay one behind the other: offsets of runs count over all
 * of them. In the Index the files are blocks that are stored as they are, whose addresses are these same offsets.
 */
public final class PlannedFolder {
    private final List<PlannedFile> files;
    /** The rows of the Index's table of blocks, its last one too. */
    private final byte[] rows;

    /**
     * A file.
     *
     * @param path from the folder, with {@code /} between names
     * @param offset where it begins, counted over all files before it
     */
    public record PlannedFile(String path, long offset, long length) {
        long end() {
            return offset + length;
        }
    }

    /**
     * Lays out files.
     *
     * @param files without gaps, and none without bytes
     * @param runs all runs; a value lies in one of them
     */
    public PlannedFolder(List<PlannedFile> files, List<Run> runs) {
        this.files = List.copyOf(files);
        long[] starts = runs.stream().mapToLong(Run::offset).sorted().toArray();
        try (var table = new GrowingBuffer()) {
            for (int f = 0; f < files.size(); f++) {
                PlannedFile file = files.get(f);
                for (long at = file.offset(); at < file.end(); ) {
                    long end = blockEnd(at, file.end(), starts);
                    table.addLong(at);
                    table.addLong(at - file.offset());
                    table.addLong(end - at);
                    table.addLong(end - at);
                    table.addLong((f + 1L) << 32);
                    at = end;
                }
            }
            var last = new byte[BlockTable.ROW_BYTES];
            MemorySegment.ofArray(last).set(LittleEndian.U64, 0, length());
            table.add(MemorySegment.ofArray(last));
            this.rows = table.bytes().toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /** Where a block ends: with its file, or at the end of a run, so that what reads a value finds it in one block. */
    private static long blockEnd(long at, long fileEnd, long[] starts) {
        long limit = at + BlockTable.MAX_BLOCK_BYTES;
        if (fileEnd <= limit) {
            return fileEnd;
        }
        int found = Arrays.binarySearch(starts, limit);
        long before = found >= 0 ? limit : found == -1 ? at : starts[-found - 2];
        return before > at ? before : limit;
    }

    /** Bytes of all files together. */
    public long length() {
        return files.isEmpty() ? 0 : files.getLast().end();
    }

    public List<PlannedFile> files() {
        return files;
    }

    /** The file that an offset is in. */
    public PlannedFile at(long offset) {
        int low = 0;
        int high = files.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (files.get(middle).offset() <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return files.get(low);
    }

    public long blocks() {
        return rows.length / BlockTable.ROW_BYTES - 1L;
    }

    /** What section BLOCKS of the Index has. */
    public MemorySegment blockRows() {
        return MemorySegment.ofArray(rows).asReadOnly();
    }

    /** What section META says about them. */
    public static BlockMeta meta(List<PlannedFile> files) {
        return new BlockMeta(
                List.of(CodecPipeline.NONE),
                files.stream().map(PlannedFile::path).toList());
    }
}
