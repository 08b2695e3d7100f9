package dev.stoker.index;

/**
 * A run of bytes of an Index.
 *
 * @param field the field it belongs to, or {@link #NO_FIELD}
 * @param checksum CRC32C of its bytes; 0 where each value has a checksum of its own
 */
record Section(Kind kind, int field, long offset, long length, int checksum) {
    static final int NO_FIELD = -1;
    static final int BYTES = 32;

    /** What a section holds; the code is its number in the file. */
    enum Kind {
        /** Schema, splits and placements as JSON. */
        META(1, false),
        /** The values of a field. */
        VALUES(2, true),
        /** For each sample the place of its value: u64 offset, u64 length. */
        EXTENTS(3, true),
        /** For each sample the CRC32C of its value: u32. */
        CHECKSUMS(4, true),
        /** For each sample the dimensions of its value: u64 each. */
        SHAPES(5, true),
        /** The samples' bytes of a {@code .stk} container. */
        DATA(6, false),
        /** Where the container's blocks are stored, see {@link dev.stoker.block.BlockTable}. */
        BLOCKS(7, false),
        /** The places of tiles, for blocks that are stored as such. */
        TILES(8, false);

        final int code;
        final boolean isOfField;

        Kind(int code, boolean isOfField) {
            this.code = code;
            this.isOfField = isOfField;
        }
    }

    Section withChecksum(int value) {
        return new Section(kind, field, offset, length, value);
    }

    long end() {
        return offset + length;
    }
}
