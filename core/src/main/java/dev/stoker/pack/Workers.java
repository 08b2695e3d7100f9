package dev.stoker.pack;

import dev.stoker.StokerException;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A number of threads that take pieces of work in turn, until all are done or one fails. */
public final class Workers {
    private static final long STEP = 64;

    private Workers() {}

    /** A worker's own part: what it needs for itself, and what it does with a piece. */
    public interface Worker extends AutoCloseable {
        void work(long piece);

        @Override
        default void close() {}
    }

    /** Makes one worker for each thread; called in that thread. */
    public interface Hiring {
        Worker hire();
    }

    public static void run(int threads, long pieces, Hiring hiring) {
        var next = new AtomicLong();
        var failure = new AtomicReference<@Nullable Throwable>();
        Runnable job = () -> {
            try (Worker worker = hiring.hire()) {
                while (failure.get() == null) {
                    long piece = next.getAndIncrement();
                    if (piece >= pieces) {
                        return;
                    }
                    worker.work(piece);
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            }
        };
        var others = new ArrayList<Thread>();
        for (int i = 1; i < Math.min(threads, pieces); i++) {
            others.add(Thread.ofPlatform().name("stoker-worker-" + i).daemon().start(job));
        }
        job.run();
        for (Thread other : others) {
            join(other);
        }
        Throwable e = failure.get();
        if (e instanceof RuntimeException runtime) {
            throw runtime;
        }
        if (e instanceof Error error) {
            throw error;
        }
    }

    /** Does something with each of the numbers 0 … count - 1, whose cost is small: a worker takes many at a time. */
    static void each(int threads, long count, LongConsumer work) {
        run(threads, (count + STEP - 1) / STEP, () -> piece -> {
            for (long i = piece * STEP; i < Math.min(count, (piece + 1) * STEP); i++) {
                work.accept(i);
            }
        });
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StokerException("interrupted", e);
        }
    }
}
