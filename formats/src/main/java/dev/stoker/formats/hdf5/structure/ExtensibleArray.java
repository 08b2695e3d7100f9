package dev.stoker.formats.hdf5.structure;

import org.jspecify.annotations.Nullable;

/**
 * The index of a dataset that can grow in one dimension: an array of records in blocks that double in size. The first
 * entries are in the index block itself, the next in data blocks that it lists, the rest in data blocks that secondary
 * blocks list; long data blocks are cut into pages.
 */
public final class ExtensibleArray implements ChunkIndex {
    private final FileBytes file;
    private final ChunkGrid grid;
    private final ChunkRecord record;
    private final int entryBytes;
    private final int offsetBytes;
    private final int indexEntries;
    private final int smallestBlock;
    private final int smallestList;
    private final long pageEntries;
    private final long entries;
    private final long index;

    private ExtensibleArray(FileBytes file, ChunkGrid grid, long header) {
        this.file = file;
        this.grid = grid;
        file.signature(header, "EAHD");
        file.checksum(header, 12L + 6L * file.lengthBytes() + file.offsetBytes(), "the header of an array of chunks");
        this.entryBytes = file.u8(header + 6);
        this.offsetBytes = (file.u8(header + 7) + 7) / 8;
        this.indexEntries = file.u8(header + 8);
        this.smallestBlock = file.u8(header + 9);
        this.smallestList = file.u8(header + 10);
        this.pageEntries = 1L << Math.min(40, file.u8(header + 11));
        this.entries = file.length(header + 12 + 4L * file.lengthBytes());
        this.index = file.address(header + 12 + 6L * file.lengthBytes());
        this.record = ChunkRecord.of(file, grid, entryBytes, header);
        boolean isRight =
                offsetBytes <= 8 && Integer.bitCount(smallestBlock) == 1 && Integer.bitCount(smallestList) == 1;
        if (!isRight) {
            throw file.corrupt(
                    header,
                    "an array of chunks has entries of " + entryBytes + " bytes and blocks of " + smallestBlock
                            + ", which cannot be");
        }
    }

    public static ChunkIndex read(FileBytes file, ChunkGrid grid, long header) {
        return header == FileBytes.UNDEFINED ? index -> null : new ExtensibleArray(file, grid, header);
    }

    @Override
    public @Nullable Chunk find(long[] chunkIndex) {
        long number = grid.numberInArray(chunkIndex);
        if (number >= entries || index == FileBytes.UNDEFINED) {
            return null;
        }
        long entry = entry(number);
        return entry < 0 ? null : record.read(entry);
    }

    /** The place of an entry, or -1 if its block was never written. */
    private long entry(long number) {
        file.signature(index, "EAIB");
        long listed = index + 6 + file.offsetBytes();
        if (number < indexEntries) {
            return listed + number * entryBytes;
        }
        long rest = number - indexEntries;
        // Level u has 2^(u/2) data blocks of 2^((u+1)/2) times the smallest.
        int level = 0;
        long blocksBefore = 0;
        while (level < 62 && rest >= levelBlocks(level) * blockEntries(level)) {
            rest -= levelBlocks(level) * blockEntries(level);
            blocksBefore += levelBlocks(level);
            level++;
        }
        long block = rest / blockEntries(level);
        long inBlock = rest % blockEntries(level);
        long blockList = listed + (long) indexEntries * entryBytes;
        int levelsInIndex = 2 * Integer.numberOfTrailingZeros(smallestList);
        if (level < levelsInIndex) {
            return inData(file.address(blockList + (blocksBefore + block) * file.offsetBytes()), level, inBlock, -1);
        }
        long blocksInIndex = 2L * (smallestList - 1);
        long secondary = file.address(blockList + (blocksInIndex + level - levelsInIndex) * file.offsetBytes());
        return secondary == FileBytes.UNDEFINED ? -1 : inSecondary(secondary, level, block, inBlock);
    }

    private static long levelBlocks(int level) {
        return 1L << level / 2;
    }

    private long blockEntries(int level) {
        return (long) smallestBlock << (level + 1) / 2;
    }

    private long inSecondary(long secondary, int level, long block, long inBlock) {
        file.signature(secondary, "EASB");
        long bitmaps = secondary + 6 + file.offsetBytes() + offsetBytes;
        long pages = blockEntries(level) / pageEntries;
        long bitmapBytes = pages > 1 ? (pages + 7) / 8 : 0;
        long addresses = bitmaps + levelBlocks(level) * bitmapBytes;
        long data = file.address(addresses + block * file.offsetBytes());
        return inData(data, level, inBlock, pages > 1 ? bitmaps + block * bitmapBytes : -1);
    }

    /** @param bitmap the place of the bits that say which pages were written, or -1 if there are no pages */
    private long inData(long data, int level, long entry, long bitmap) {
        if (data == FileBytes.UNDEFINED) {
            return -1;
        }
        file.signature(data, "EADB");
        long first = data + 6 + file.offsetBytes() + offsetBytes;
        if (blockEntries(level) <= pageEntries) {
            return first + entry * entryBytes;
        }
        long page = entry / pageEntries;
        boolean isWritten = bitmap < 0 || (file.u8(bitmap + page / 8) & 0x80 >> page % 8) != 0;
        return isWritten ? first + 4 + page * (pageEntries * entryBytes + 4) + entry % pageEntries * entryBytes : -1;
    }
}
