package dev.stoker.job;

import dev.stoker.StokerException;
import java.time.Duration;

/** Waiting by looking again and again: soon at first, then more and more seldom. */
final class Backoff {
    private static final long FIRST_MILLIS = 10;
    private static final long LAST_MILLIS = 250;

    private final long start = System.nanoTime();
    private long millis = FIRST_MILLIS;

    void sleep() {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StokerException("interrupted", e);
        }
        millis = Math.min(LAST_MILLIS, millis + millis / 2);
    }

    boolean isLonger(Duration than) {
        return System.nanoTime() - start > than.toNanos();
    }
}
