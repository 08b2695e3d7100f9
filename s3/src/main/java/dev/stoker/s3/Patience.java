package dev.stoker.s3;

import dev.stoker.remote.RemoteException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How often a request is tried again: with pauses that grow, until nothing has come for a while. A storage that never
 * answered gets a few tries only, since most likely its address is wrong. For one thread.
 */
final class Patience {
    private static final long FIRST_PAUSE_MILLIS = 100;
    private static final long LONGEST_PAUSE_MILLIS = 5_000;
    private static final int FIRST_TRIES = 4;

    private final String address;
    private final String endpoint;
    private final Duration limit;
    private final AtomicBoolean answered;
    private long since = System.nanoTime();
    private int failures;

    /** @param answered whether the storage has ever answered this process */
    Patience(String address, String endpoint, Duration limit, AtomicBoolean answered) {
        this.address = address;
        this.endpoint = endpoint;
        this.limit = limit;
        this.answered = answered;
    }

    /** Something came: the time begins anew. */
    void progressed() {
        since = System.nanoTime();
        failures = 0;
        answered.set(true);
    }

    boolean hasFailed() {
        return failures > 0;
    }

    /** Waits before the next try, or gives up. */
    void failed(String reason) {
        failures++;
        long waited = (System.nanoTime() - since) / 1_000_000;
        if (waited > limit.toMillis() || (!answered.get() && failures >= FIRST_TRIES)) {
            throw new RemoteException("[" + address + "] " + endpoint + " failed " + failures + " times in "
                    + Math.max(1, waited / 1000) + " s, the last time: " + reason
                    + (answered.get()
                            ? "; retry once the endpoint recovers. What is complete already is not fetched again"
                            : "; check the endpoint (AWS_ENDPOINT_URL) and the network"));
        }
        long pause = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures - 1, 10));
        try {
            // Whoever failed together should not come back together.
            Thread.sleep(pause / 2 + ThreadLocalRandom.current().nextLong(pause / 2 + 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RemoteException("[" + address + "] interrupted", e);
        }
    }
}
