package dev.stoker.formats.hdf5.structure;

/** A version 1 B-tree: of a group's symbols, or of a dataset's chunks. */
final class BTree1 {
    private final FileBytes file;
    private final long root;
    private final int type;
    private final int keyBytes;
    private final FileBytes.Seen seen;

    /** What a leaf's entry leads to. */
    interface Leaf {
        /**
         * @param key the place of the key before the child
         * @param child the place of the child
         */
        void at(long key, long child);
    }

    BTree1(FileBytes file, long root, int type, int keyBytes) {
        this.file = file;
        this.root = root;
        this.type = type;
        this.keyBytes = keyBytes;
        this.seen = file.new Seen();
    }

    /** Visits the leaves' entries in their order. */
    void leaves(Leaf leaf) {
        if (root != FileBytes.UNDEFINED) {
            node(root, file.u8(root + 5), leaf);
        }
    }

    /** Each level is one less than the one above, so this goes down at most 256 times. */
    private void node(long at, int level, Leaf leaf) {
        seen.add(at, "a node of a B-tree");
        file.signature(at, "TREE");
        if (file.u8(at + 4) != type || file.u8(at + 5) != level) {
            throw file.corrupt(
                    at,
                    "a node of a B-tree should have type " + type + " and level " + level + " but has "
                            + file.u8(at + 4) + " and " + file.u8(at + 5));
        }
        int entries = file.u16(at + 6);
        long first = at + 8 + 2L * file.offsetBytes();
        int width = keyBytes + file.offsetBytes();
        file.require(first, (long) entries * width + keyBytes, "a node of a B-tree");
        file.look(first, (long) entries * width);
        for (int e = 0; e < entries; e++) {
            long key = first + (long) e * width;
            long child = file.address(key + keyBytes);
            if (child == FileBytes.UNDEFINED) {
                throw file.corrupt(key, "an entry of a B-tree leads nowhere");
            }
            if (level == 0) {
                leaf.at(key, child);
            } else {
                node(child, level - 1, leaf);
            }
        }
    }
}
