package dev.stoker.bench.advise;

/** Until when something may take. */
record Deadline(long endNanos) {
    static Deadline after(double seconds) {
        return new Deadline(System.nanoTime() + (long) (seconds * 1e9));
    }

    boolean isOver() {
        return System.nanoTime() - endNanos >= 0;
    }

    double secondsLeft() {
        return Math.max(0, (endNanos - System.nanoTime()) / 1e9);
    }
}
