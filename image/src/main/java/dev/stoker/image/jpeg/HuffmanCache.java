package dev.stoker.image.jpeg;

import java.util.Arrays;

/**
 * The Huffman tables met last, found by the bytes that define them: most files of a data set share theirs, and those that
 * do not are rebuilt into the least recently used place, without allocation. It also holds the current picture's tables.
 */
final class HuffmanCache {
    private static final int SIZE = 32;

    private final HuffmanTable[] tables = new HuffmanTable[SIZE];
    private final long[] usedAt = new long[SIZE];
    private long clock;

    /** The current picture's DC tables 0 to 3, then its AC tables. */
    private final HuffmanTable[] current = new HuffmanTable[8];

    HuffmanCache() {
        for (int i = 0; i < SIZE; i++) {
            tables[i] = new HuffmanTable();
        }
        clear();
    }

    /** Forgets the current picture's tables. */
    void clear() {
        Arrays.fill(current, HuffmanTable.NONE);
    }

    HuffmanTable dc(int slot) {
        return current[slot];
    }

    HuffmanTable ac(int slot) {
        return current[4 + slot];
    }

    /**
     * Sets a table of the current picture from its 16 counts and their symbols.
     *
     * @param slot 0 to 3 for DC, 4 to 7 for AC
     * @return false if the counts make no code
     */
    boolean define(int slot, byte[] bytes, int at, int length) {
        int hash = 1;
        for (int i = at; i < at + length; i++) {
            hash = 31 * hash + bytes[i];
        }
        current[slot] = HuffmanTable.NONE;
        clock++;
        int oldest = -1;
        for (int i = 0; i < SIZE; i++) {
            if (tables[i].is(bytes, at, length, hash)) {
                usedAt[i] = clock;
                tables[i].meetAgain();
                current[slot] = tables[i];
                return true;
            }
            if ((oldest < 0 || usedAt[i] < usedAt[oldest]) && !isCurrent(tables[i])) {
                oldest = i;
            }
        }
        usedAt[oldest] = clock;
        current[slot] = tables[oldest];
        return tables[oldest].build(bytes, at, length, hash);
    }

    private boolean isCurrent(HuffmanTable table) {
        for (HuffmanTable c : current) {
            if (c == table) {
                return true;
            }
        }
        return false;
    }
}
