package dev.stoker.format;

/** Samples that were compressed before there is a plan: only then are the sizes known that a plan needs. */
public interface StoredBlocks {
    BlockCut cut();

    /** Bytes of a block as it is stored. */
    long stored(int block);

    /** Bytes of a block when it is decoded. */
    long decoded(int block);

    /** Whether a block is stored as it is. */
    boolean isPlain(int block);

    /** Bytes of all blocks as they are stored. */
    default long stored() {
        long sum = 0;
        for (int b = 0; b < cut().blocks(); b++) {
            sum += stored(b);
        }
        return sum;
    }
}
