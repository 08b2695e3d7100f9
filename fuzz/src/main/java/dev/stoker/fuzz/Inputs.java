package dev.stoker.fuzz;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Changed inputs by number: each follows from the seed and its number alone. */
final class Inputs {
    /** One of so many keeps the checksums that it has. */
    private static final int UNSIGNED = 8;

    private final Target target;
    private final Mutator mutator;
    private final long seed;

    Inputs(Target target, List<byte[]> seeds, long seed) {
        this.target = target;
        this.mutator = new Mutator(seeds, target.words());
        this.seed = seed;
    }

    byte[] get(long number) {
        RandomGenerator random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L + number);
        byte[] input = mutator.next(random);
        if (random.nextInt(UNSIGNED) > 0) {
            target.sign(input);
        }
        return input;
    }
}
