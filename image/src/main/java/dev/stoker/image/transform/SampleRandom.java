package dev.stoker.image.transform;

/**
 * Random numbers that are a pure function of (seed, epoch, sample, step): the same whatever thread draws them and in whatever
 * order samples are decoded. Reused, so that a sample costs no allocation.
 */
final class SampleRandom {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private long state;

    /** @param step the place of the transform in the chain, so that one transform's draws do not move another's */
    @SuppressWarnings("ConstantOverflow") // the multiples of GOLDEN are meant modulo 2^64
    void set(long seed, long epoch, long sample, int step) {
        long h = mix(seed + GOLDEN);
        h = mix(h ^ epoch + 2 * GOLDEN);
        h = mix(h ^ sample + 3 * GOLDEN);
        state = mix(h ^ step + 4 * GOLDEN);
    }

    private static long mix(long z) {
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    private long nextLong() {
        state += GOLDEN;
        return mix(state);
    }

    /** From 0 (included) to 1 (not included). */
    double nextDouble() {
        return (nextLong() >>> 11) * 0x1p-53;
    }

    double between(double from, double to) {
        return from + (to - from) * nextDouble();
    }

    /** From 0 to bound - 1. */
    int below(int bound) {
        return (int) (nextDouble() * bound);
    }
}
