package dev.stoker;

import java.time.Duration;
import java.util.concurrent.Callable;

/** Waits for what another thread or process does. */
public final class Await {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final long PAUSE_MILLIS = 5;

    private Await() {}

    /**
     * Returns when a condition holds; fails when it does not within a minute.
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

    /** Returns when a thread sleeps: one that looks again and again has looked once by then. */
    public static void untilAsleep(Thread thread) throws Exception {
        until(thread.getName() + " sleeps", () -> thread.getState() == Thread.State.TIMED_WAITING);
    }
}
