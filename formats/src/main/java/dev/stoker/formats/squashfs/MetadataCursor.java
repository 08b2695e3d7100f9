package dev.stoker.formats.squashfs;

import dev.stoker.CorruptContainerException;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Reads on through metadata blocks from a place in one of them. */
final class MetadataCursor {
    private final MetadataBlocks blocks;
    private MetadataBlocks.Block block;
    private long place;
    private int offset;

    /**
     * Begins in a block.
     *
     * @param place where the block begins in the file
     * @param offset the byte in the block, when it is decompressed
     */
    MetadataCursor(MetadataBlocks blocks, long place, int offset) {
        this.blocks = blocks;
        this.place = place;
        this.offset = offset;
        this.block = blocks.at(place);
        if (offset > block.bytes().byteSize()) {
            throw corrupt("byte " + offset + " of this metadata block is meant, which has "
                    + block.bytes().byteSize());
        }
    }

    /** Where the block begins in the file. */
    long place() {
        return place;
    }

    /** The next byte in the block. */
    int offset() {
        return offset;
    }

    CorruptContainerException corrupt(String reason) {
        return new CorruptContainerException(blocks.file().name(), place, reason);
    }

    int u16() {
        return Short.toUnsignedInt(next(2).get(LittleEndian.U16, 0));
    }

    long u32() {
        return Integer.toUnsignedLong(next(4).get(LittleEndian.U32, 0));
    }

    long u64() {
        return next(8).get(LittleEndian.U64, 0);
    }

    void skip(int count) {
        bytes(count);
    }

    /** A copy of the next bytes; not more than a name or a block can have. */
    byte[] bytes(int count) {
        var bytes = new byte[count];
        copy(MemorySegment.ofArray(bytes));
        return bytes;
    }

    private MemorySegment next(int count) {
        if (block.bytes().byteSize() - offset >= count) {
            MemorySegment found = block.bytes().asSlice(offset, count);
            offset += count;
            return found;
        }
        return MemorySegment.ofArray(bytes(count));
    }

    private void copy(MemorySegment to) {
        for (long done = 0; done < to.byteSize(); ) {
            if (offset == block.bytes().byteSize()) {
                place = block.next();
                block = blocks.at(place);
                offset = 0;
            }
            long part = Math.min(to.byteSize() - done, block.bytes().byteSize() - offset);
            MemorySegment.copy(block.bytes(), ValueLayout.JAVA_BYTE, offset, to, ValueLayout.JAVA_BYTE, done, part);
            offset += (int) part;
            done += part;
        }
    }
}
