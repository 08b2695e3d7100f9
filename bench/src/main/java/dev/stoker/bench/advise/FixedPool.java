package dev.stoker.bench.advise;

import dev.stoker.StokerException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** A fixed number of threads that take numbers in turn: so many requests are under way at once, no more and no fewer. */
final class FixedPool {
    /** A request that a server never answers is not waited for longer than this behind the deadline. */
    private static final long GRACE_NANOS = 2_000_000_000;

    private FixedPool() {}

    /**
     * Does something with the numbers 0 … count - 1 until all are done or the time is over.
     *
     * @param work throws nothing; must bear that threads which hang are left behind
     * @return how many were done, and how long that took
     */
    static Done run(int threads, int count, Deadline deadline, IntConsumer work) {
        var next = new AtomicInteger();
        var done = new AtomicInteger();
        var crowd = new ArrayList<Thread>();
        long start = System.nanoTime();
        for (int t = 0; t < Math.min(threads, count); t++) {
            crowd.add(Thread.ofPlatform().daemon().name("stoker-advise-" + t).start(() -> {
                for (int i = next.getAndIncrement(); i < count && !deadline.isOver(); i = next.getAndIncrement()) {
                    work.accept(i);
                    done.incrementAndGet();
                }
            }));
        }
        var patience = new Deadline(deadline.endNanos() + GRACE_NANOS);
        for (Thread thread : crowd) {
            await(thread, patience);
        }
        return new Done(done.get(), Math.max(1e-9, (System.nanoTime() - start) / 1e9));
    }

    private static void await(Thread thread, Deadline patience) {
        try {
            var _ = thread.join(Duration.ofNanos((long) (patience.secondsLeft() * 1e9)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StokerException("interrupted", e);
        }
    }

    /** What was done. */
    record Done(int count, double seconds) {
        double perSecond() {
            return count / seconds;
        }
    }
}
