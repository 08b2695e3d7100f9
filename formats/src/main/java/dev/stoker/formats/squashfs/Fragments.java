package dev.stoker.formats.squashfs;

import dev.stoker.CorruptContainerException;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;

/** The blocks that hold the ends of several files, by their numbers. */
final class Fragments {
    static final int ENTRY_BYTES = 16;

    /** In place of a number, where a file has none. */
    static final long NO_FRAGMENT = 0xffff_ffffL;

    private static final int ENTRIES_PER_BLOCK = MetadataStream.BLOCK / ENTRY_BYTES;

    private final MetadataBlocks blocks;
    private final Superblock superblock;

    /** Where a fragment block lies, and its size as the table has it. */
    record Fragment(long offset, DataBlock size) {}

    Fragments(MetadataBlocks blocks, Superblock superblock) {
        this.blocks = blocks;
        this.superblock = superblock;
    }

    Fragment at(long number) {
        MappedFile file = blocks.file();
        if (number >= superblock.fragments()) {
            throw new CorruptContainerException(
                    file.name(),
                    superblock.fragmentTable(),
                    "a file lies in fragment " + number + ", but there are " + superblock.fragments());
        }
        long place = file.bytes().get(LittleEndian.U64, superblock.fragmentTable() + 8 * (number / ENTRIES_PER_BLOCK));
        var cursor = new MetadataCursor(blocks, place, ENTRY_BYTES * (int) (number % ENTRIES_PER_BLOCK));
        return new Fragment(cursor.u64(), new DataBlock(cursor.u32()));
    }
}
