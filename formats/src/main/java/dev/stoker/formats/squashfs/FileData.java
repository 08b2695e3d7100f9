package dev.stoker.formats.squashfs;

/**
 * Where the bytes of a file lie: blocks one behind the other, and maybe its end in a block that it shares with others.
 *
 * @param start where the first block begins
 * @param fragment the number of the block with its end, or {@link Fragments#NO_FRAGMENT}
 * @param fragmentOffset where its end begins in that block, when it is decoded
 */
record FileData(long start, long length, DataBlock[] blocks, long fragment, long fragmentOffset) {
    boolean hasTail() {
        return fragment != Fragments.NO_FRAGMENT;
    }

    /** How many bytes lie in the fragment. */
    long tail(int blockSize) {
        return hasTail() ? length % blockSize : 0;
    }

    /** Whether all its blocks are stored as they are, so that they are one piece. */
    boolean hasStoredBlocks() {
        for (DataBlock block : blocks) {
            if (block.isSparse() || block.isCompressed()) {
                return false;
            }
        }
        return true;
    }
}
