package dev.stoker.order;

/** The arithmetic that turns numbers into other numbers without a visible pattern; {@code docs/format/order.md}. */
final class SplitMix64 {
    static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private SplitMix64() {}

    /** The SplitMix64 finaliser: a bijection of 64 bits in which every input bit changes half of the output bits. */
    static long mix(long value) {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** The key of one epoch under one seed. Negative epochs are free for other uses of the seed. */
    static long key(long seed, long epoch) {
        return mix(mix(seed + GOLDEN) + GOLDEN * epoch);
    }

    /** The {@code index}-th key made of a key; a key that has subkeys is used for nothing else. */
    static long subkey(long key, long index) {
        return mix(key + GOLDEN * (index + 1));
    }

    /**
     * Maps 64 even bits to {@code [0, bound)}, {@code bound <= 2^24}, by its upper 40 bits: 64-bit products suffice,
     * so NumPy can do the same, and no value is favoured by more than {@code bound / 2^40}.
     */
    static long reduce(long bits, long bound) {
        return ((bits >>> 24) * bound) >>> 40;
    }
}
