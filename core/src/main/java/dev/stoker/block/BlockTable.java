package dev.stoker.block;

import static dev.stoker.io.LittleEndian.U32;
import static dev.stoker.io.LittleEndian.U64;

import dev.stoker.CorruptContainerException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * All blocks of a container, mapped: 40 bytes for each, little-endian, and a last row whose address is the number of
 * decoded bytes.
 *
 * <pre>
 *  0  8  address among the decoded bytes, never less than the row's before
 *  8  8  offset of the stored bytes in their file
 * 16  8  number of stored bytes
 * 24  4  number of bytes that these make, less than 2^31
 * 28  4  how many of those are left out at the beginning
 * 32  4  number of the pipeline
 * 36  4  number of the file; 0 is the container
 * </pre>
 *
 * @param file the Index's name, for errors
 */
public record BlockTable(String file, MemorySegment rows, List<CodecPipeline> pipelines, List<String> files) {
    public static final int ROW_BYTES = 40;
    /** No block is larger when it is decoded, whatever a file says. */
    public static final long MAX_BLOCK_BYTES = 1L << 30;
    /** A block may have as many bytes, however small its file; and so many for each byte of that. */
    private static final long FREE_BYTES = 256 << 20;

    /** A little more than deflate can make of one. */
    private static final long MADE_PER_BYTE = 1040;

    // Where a row has what.
    public static final int OFFSET = 8;
    public static final int STORED = 16;
    public static final int DECODED = 24;
    public static final int PIPELINE = 32;

    public BlockTable {
        pipelines = List.copyOf(pipelines);
        files = List.copyOf(files);
        if (rows.byteSize() < ROW_BYTES || rows.byteSize() % ROW_BYTES != 0) {
            throw new CorruptContainerException(
                    file,
                    CorruptContainerException.NOWHERE,
                    "section BLOCKS should have " + ROW_BYTES + " bytes for each block and one more but has "
                            + rows.byteSize() + " bytes in total");
        }
    }

    /**
     * Whether a block is believed to have so many decoded bytes. Zeros, and tiles that are not stored, are filled in, and
     * some codecs make very much of little, so that a small file could ask for any memory.
     */
    public static boolean isBelieved(long decoded, long fileBytes) {
        return decoded <= Math.max(FREE_BYTES, fileBytes * MADE_PER_BYTE);
    }

    public long count() {
        return rows.byteSize() / ROW_BYTES - 1;
    }

    /** How many decoded bytes there are. */
    public long bytes() {
        return address(count());
    }

    private long address(long block) {
        return rows.get(U64, block * ROW_BYTES);
    }

    /** The number of the block that holds a decoded byte: the last one that does not begin after it. */
    long find(long address) {
        long low = 0;
        long high = count();
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (address(middle) <= address) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }

    /** A row, with its numbers checked against each other. */
    public Block block(long number) {
        if (number < 0 || number >= count()) {
            throw damaged("there is no block " + number + " of " + count());
        }
        long row = number * ROW_BYTES;
        var block = new Block(
                address(number),
                address(number + 1) - address(number),
                rows.get(U32, row + 36),
                rows.get(U64, row + OFFSET),
                rows.get(U64, row + STORED),
                rows.get(U32, row + DECODED),
                rows.get(U32, row + 28),
                rows.get(U32, row + PIPELINE));
        boolean isSane = block.address() >= 0
                && block.bytes() >= 0
                && block.skip() >= 0
                && block.decoded() - block.skip() >= block.bytes()
                && block.pipeline() >= 0
                && block.pipeline() < pipelines.size()
                && block.file() >= 0
                && block.file() <= files.size();
        if (!isSane) {
            throw damaged("row " + number + " is wrong: " + block);
        }
        return block;
    }

    CorruptContainerException damaged(String reason) {
        return new CorruptContainerException(
                file, CorruptContainerException.NOWHERE, "section BLOCKS is damaged: " + reason);
    }

    public CodecPipeline pipeline(Block block) {
        return pipelines.get(block.pipeline());
    }
}
