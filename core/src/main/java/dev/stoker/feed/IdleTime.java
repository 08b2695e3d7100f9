package dev.stoker.feed;

/** How long threads had nothing to do, all together. Guarded by the ring's lock. */
final class IdleTime {
    /** Threads that have nothing to do now, and the sum of the times at which each began to have nothing. */
    private int threads;

    private long since;
    private long nanos;

    /** @return the time, for {@link #end} */
    long begin() {
        long now = System.nanoTime();
        threads++;
        since += now;
        return now;
    }

    void end(long begun) {
        threads--;
        since -= begun;
        nanos += System.nanoTime() - begun;
    }

    /** Until now. */
    long nanos() {
        return nanos + threads * System.nanoTime() - since;
    }
}
