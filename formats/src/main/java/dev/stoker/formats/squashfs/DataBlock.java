package dev.stoker.formats.squashfs;

/** The size of a block of data, as inodes and the fragment table have it. */
record DataBlock(long raw) {
    private static final int UNCOMPRESSED = 1 << 24;

    boolean isSparse() {
        return raw == 0;
    }

    boolean isCompressed() {
        return (raw & UNCOMPRESSED) == 0;
    }

    /** Its bytes in the image. */
    long stored() {
        return raw & (UNCOMPRESSED - 1);
    }
}
