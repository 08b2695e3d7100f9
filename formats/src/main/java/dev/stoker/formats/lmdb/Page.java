package dev.stoker.formats.lmdb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The numbers and records of LMDB's file format 1. A page begins with 16 bytes: u64 its number, u16 unused, u16 flags,
 * then u16 where its free room begins and u16 where it ends (u32 how many pages, for overflow pages). Leaf and branch
 * pages go on with a u16 for each node: its place in the page. A node is u32 length of the value (with the flags u16: the
 * number of the child page, 48 bits), u16 flags, u16 length of the key, key, value; padded to an even length.
 */
final class Page {
    static final int USUAL_BYTES = 4096;
    static final int HEADER_BYTES = 16;
    static final int NODE_BYTES = 8;
    /** Of a node, its place in the page. */
    static final int POINTER_BYTES = 2;
    /** Instead of a value that lies in overflow pages: the number of the first. */
    static final int OVERFLOW_NUMBER_BYTES = 8;

    static final int MAX_KEY_BYTES = 511;
    static final long MAX_VALUE_BYTES = 0xFFFF_FFFFL;
    static final int MAX_DEPTH = 32;
    static final int META_PAGES = 2;
    static final long NO_PAGE = -1;

    static final int BRANCH = 1;
    static final int LEAF = 2;
    static final int OVERFLOW = 4;
    static final int META = 8;

    /** Flags of a node: its value lies in overflow pages; it is the record of a named database; it has several values. */
    static final int BIG = 1;

    static final int DATABASE = 2;
    static final int SEVERAL = 4;

    private Page() {}

    /** The longest node that stays in a leaf, so that two fit into each. */
    static int maxNodeBytes(int pageBytes) {
        return ((pageBytes - HEADER_BYTES) / 2 & -2) - POINTER_BYTES;
    }

    static boolean isBig(int pageBytes, long keyBytes, long valueBytes) {
        return NODE_BYTES + keyBytes + valueBytes > maxNodeBytes(pageBytes);
    }

    static int even(int bytes) {
        return bytes + 1 & -2;
    }

    /** How many overflow pages a value needs. */
    static long overflowPages(int pageBytes, long valueBytes) {
        return (HEADER_BYTES - 1 + valueBytes) / pageBytes + 1;
    }

    static ByteBuffer wrap(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The head of a page with its nodes' places, given their lengths; they lie at the page's end in their order. */
    static byte[] head(long number, int flags, int pageBytes, int[] nodeBytes) {
        int lower = HEADER_BYTES + POINTER_BYTES * nodeBytes.length;
        int upper = pageBytes;
        for (int node : nodeBytes) {
            upper -= node;
        }
        var bytes = new byte[upper];
        ByteBuffer to = wrap(bytes);
        to.putLong(number).putShort((short) 0).putShort((short) flags);
        to.putShort((short) lower).putShort((short) upper);
        int at = upper;
        for (int node : nodeBytes) {
            to.putShort((short) at);
            at += node;
        }
        return bytes;
    }

    static byte[] overflowHead(long number, long pages) {
        var bytes = new byte[HEADER_BYTES];
        ByteBuffer to = wrap(bytes);
        to.putLong(number).putShort((short) 0).putShort((short) OVERFLOW).putInt((int) pages);
        return bytes;
    }

    /** A leaf's node up to its value. */
    static byte[] leafNode(byte[] key, long valueBytes, int flags) {
        var bytes = new byte[NODE_BYTES + key.length];
        ByteBuffer to = wrap(bytes);
        to.putInt((int) valueBytes).putShort((short) flags).putShort((short) key.length);
        to.put(key);
        return bytes;
    }

    /** The number of a page, as it stands instead of a value. */
    static byte[] number(long page) {
        var bytes = new byte[OVERFLOW_NUMBER_BYTES];
        wrap(bytes).putLong(page);
        return bytes;
    }

    static byte[] branchNode(byte[] key, long child) {
        var bytes = new byte[even(NODE_BYTES + key.length)];
        ByteBuffer to = wrap(bytes);
        to.putInt((int) child).putShort((short) (child >>> 32)).putShort((short) key.length);
        to.put(key);
        return bytes;
    }
}
