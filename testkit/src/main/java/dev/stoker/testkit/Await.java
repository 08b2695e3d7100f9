package dev.stoker.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what another thread or process does. */
public final class Await {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final long PAUSE_MILLIS = 10;

    private Await() {}

    /**
     * Returns when a condition holds; fails when it does not within two minutes.
     *
     * @param what the condition in words, for the failure
     */
    public static void until(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + LONGEST.toSeconds() + " s: " + what);
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }
}
