package dev.stoker;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Randomness of tests: another seed in each run, printed, and set again by {@code -Dstoker.seed=N}. */
public final class TestSeed {
    private TestSeed() {}

    public static RandomGenerator random(String test) {
        long seed = Long.getLong("stoker.seed", System.nanoTime());
        System.out.println(test + ": seed " + seed + " (repeat with -Dstoker.seed=" + seed + ")");
        return new SplittableRandom(seed);
    }
}
