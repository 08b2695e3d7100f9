package dev.stoker.order;

/**
 * A Fisher-Yates shuffle of a few samples. A Feistel network over a tiny domain has too few different round functions
 * to reach every permutation equally often; drawing from a shrinking table reaches each of the n! with the same chance.
 */
final class TablePermutation implements Permutation {
    static final int MAX_SIZE = 256;

    private final short[] table;

    TablePermutation(int size, long key) {
        table = new short[size];
        for (int i = 0; i < size; i++) {
            table[i] = (short) i;
        }
        for (int i = size - 1; i > 0; i--) {
            int j = (int) SplitMix64.reduce(SplitMix64.mix(key + SplitMix64.GOLDEN * i), i + 1);
            short moved = table[i];
            table[i] = table[j];
            table[j] = moved;
        }
    }

    @Override
    public long size() {
        return table.length;
    }

    @Override
    public long at(long position) {
        return table[Math.toIntExact(position)];
    }

    @Override
    public long positionOf(long sample) {
        for (int i = 0; i < table.length; i++) {
            if (table[i] == sample) {
                return i;
            }
        }
        throw new IndexOutOfBoundsException("sample " + sample + " of " + table.length);
    }
}
