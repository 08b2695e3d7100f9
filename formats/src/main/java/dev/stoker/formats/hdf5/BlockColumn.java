package dev.stoker.formats.hdf5;

import dev.stoker.index.BlockRows;

/** The values of one field in one group, which can be found among decoded bytes. */
interface BlockColumn extends ColumnReader {
    /** Adds blocks that hold all values. */
    void addBlocks(BlockRows blocks);

    /** Where a value lies among the bytes of these blocks. */
    Span decodedSpan(long row);

    /** Decoded bytes of all blocks. */
    long decodedBytes();
}
