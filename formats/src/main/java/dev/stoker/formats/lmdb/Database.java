package dev.stoker.formats.lmdb;

import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The record of a database: u32 unused (in the free list's: the size of a page), u16 flags, u16 depth, and u64 each:
 * branch pages, leaf pages, overflow pages, entries, root.
 */
record Database(int flags, int depth, long branchPages, long leafPages, long overflowPages, long entries, long root) {
    static final int BYTES = 48;

    static final int REVERSE_KEY = 2;
    static final int DUPSORT = 4;
    static final int INTEGER_KEY = 8;

    static final Database EMPTY = new Database(0, 0, 0, 0, 0, 0, Page.NO_PAGE);

    static Database read(MemorySegment bytes, long at) {
        return new Database(
                Short.toUnsignedInt(bytes.get(LittleEndian.U16, at + 4)),
                Short.toUnsignedInt(bytes.get(LittleEndian.U16, at + 6)),
                bytes.get(LittleEndian.U64, at + 8),
                bytes.get(LittleEndian.U64, at + 16),
                bytes.get(LittleEndian.U64, at + 24),
                bytes.get(LittleEndian.U64, at + 32),
                bytes.get(LittleEndian.U64, at + 40));
    }

    /** Whether keys are in bytewise order. */
    boolean isBytewise() {
        return (flags & (REVERSE_KEY | INTEGER_KEY)) == 0;
    }

    void put(ByteBuffer to, int unused) {
        to.putInt(unused).putShort((short) flags).putShort((short) depth);
        to.putLong(branchPages)
                .putLong(leafPages)
                .putLong(overflowPages)
                .putLong(entries)
                .putLong(root);
    }

    byte[] toBytes() {
        var bytes = new byte[BYTES];
        put(Page.wrap(bytes), 0);
        return bytes;
    }
}
