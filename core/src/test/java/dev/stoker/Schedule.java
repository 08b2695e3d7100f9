package dev.stoker;

import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread's part in a stress test: between its steps it goes on, gives way or pauses, as its seed says, and each thread
 * has a speed of its own. So another seed makes the threads meet elsewhere.
 */
public final class Schedule {
    private static final int LONGEST_NANOS = 300_000;

    private final SplittableRandom random;
    /** Of a thousand steps so many pause. */
    private final int slowness;

    public Schedule(long seed) {
        random = new SplittableRandom(seed);
        slowness = random.nextInt(60);
    }

    /** A point at which other threads may come first. */
    public void step() {
        int chance = random.nextInt(1000);
        if (chance < slowness) {
            LockSupport.parkNanos(random.nextInt(LONGEST_NANOS));
        } else if (chance < 300) {
            LockSupport.parkNanos(1);
        } else if (chance < 400) {
            for (int i = random.nextInt(2000); i > 0; i--) {
                Thread.onSpinWait();
            }
        }
    }

    public int pick(int bound) {
        return random.nextInt(bound);
    }

    /** How many rounds a stress test has: few in the tests of every change, many by {@code -Dstoker.stress.rounds=N}. */
    public static int rounds(int few) {
        return Integer.getInteger("stoker.stress.rounds", few);
    }
}
