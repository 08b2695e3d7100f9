package dev.stoker.order;

import java.util.Objects;

/**
 * A Feistel network over {@code columns * 2^k >= size} numbers, walked until it lands inside {@code [0, size)}. Because
 * the columns are not rounded up to a power of two, fewer than {@code 2^k} numbers lie outside, about one in the square
 * root of the size: a second walk is rare.
 */
final class FeistelPermutation implements Permutation {
    static final int ROUNDS = 8;

    private final long size;
    private final long key;
    private final int lowBits;
    private final long columns;

    FeistelPermutation(long size, long key) {
        this.size = size;
        this.key = key;
        this.lowBits = (Long.SIZE - Long.numberOfLeadingZeros(size - 1)) / 2;
        this.columns = (size + (1L << lowBits) - 1) >>> lowBits;
    }

    @Override
    public long size() {
        return size;
    }

    @Override
    public long at(long position) {
        long x = Objects.checkIndex(position, size);
        do {
            x = encrypt(x);
        } while (x >= size);
        return x;
    }

    @Override
    public long positionOf(long sample) {
        long x = Objects.checkIndex(sample, size);
        do {
            x = decrypt(x);
        } while (x >= size);
        return x;
    }

    private long encrypt(long x) {
        long high = x >>> lowBits;
        long low = x & ((1L << lowBits) - 1);
        for (int round = 0; round < ROUNDS; round += 2) {
            high += SplitMix64.reduce(SplitMix64.mix(key + SplitMix64.GOLDEN * round + low), columns);
            high -= high >= columns ? columns : 0;
            low ^= SplitMix64.mix(key + SplitMix64.GOLDEN * (round + 1) + high) >>> (Long.SIZE - lowBits);
        }
        return (high << lowBits) | low;
    }

    private long decrypt(long x) {
        long high = x >>> lowBits;
        long low = x & ((1L << lowBits) - 1);
        for (int round = ROUNDS - 2; round >= 0; round -= 2) {
            low ^= SplitMix64.mix(key + SplitMix64.GOLDEN * (round + 1) + high) >>> (Long.SIZE - lowBits);
            high -= SplitMix64.reduce(SplitMix64.mix(key + SplitMix64.GOLDEN * round + low), columns);
            high += high < 0 ? columns : 0;
        }
        return (high << lowBits) | low;
    }
}
