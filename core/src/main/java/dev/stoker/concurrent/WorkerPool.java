package dev.stoker.concurrent;

import dev.stoker.StokerException;
import dev.stoker.os.AvailableCores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Threads that take pieces of work in turn, until all are done or one fails. There are as many as cores at first; more
 * are hired while the cores are idle, since then the workers wait for storage, and many waits can pass at once.
 */
public final class WorkerPool {
    private static final long STEP = 64;
    private static final Duration LOOK = Duration.ofMillis(30);
    /** Below this share of busy cores, more workers can help. */
    private static final double BUSY = 0.5;

    private final int most;
    private final long pieces;
    private final Hiring hiring;
    private final AtomicLong next = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final List<Thread> team = new ArrayList<>();
    private long lastLook = System.nanoTime();
    private long lastBusy = AvailableCores.busyNanos();

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

    private WorkerPool(int most, long pieces, Hiring hiring) {
        this.most = (int) Math.min(most, pieces);
        this.pieces = pieces;
        this.hiring = hiring;
    }

    /** Works on the pieces 0 … pieces - 1 with so many threads at the most; throws what a worker threw first. */
    public static void run(int most, long pieces, Hiring hiring) {
        new WorkerPool(most, pieces, hiring).run();
    }

    /** Does something with each of the numbers 0 … count - 1, whose cost is small: a worker takes many at a time. */
    public static void each(int most, long count, LongConsumer work) {
        run(most, (count + STEP - 1) / STEP, () -> piece -> {
            for (long i = piece * STEP; i < Math.min(count, (piece + 1) * STEP); i++) {
                work.accept(i);
            }
        });
    }

    private void run() {
        hire(AvailableCores.allocated());
        try {
            while (!isOver()) {
                if (next.get() < pieces && areCoresIdle()) {
                    hire(team.size());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure.compareAndSet(null, new StokerException("interrupted", e));
        }
        Throwable e = failure.get();
        if (e instanceof RuntimeException runtime) {
            throw runtime;
        }
        if (e instanceof Error error) {
            throw error;
        }
    }

    private void hire(int more) {
        for (int i = 0; i < more && team.size() < most; i++) {
            team.add(Thread.ofPlatform()
                    .name("stoker-worker-" + team.size())
                    .daemon()
                    .start(this::work));
        }
    }

    private void work() {
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
    }

    /** Waits for the workers, for a moment if more may be hired, else to the end. */
    private boolean isOver() throws InterruptedException {
        if (team.size() < most && next.get() < pieces) {
            return !team.isEmpty() && team.getFirst().join(LOOK) && areAllOver();
        }
        for (Thread thread : team) {
            thread.join();
        }
        return true;
    }

    private boolean areAllOver() {
        return team.stream().noneMatch(Thread::isAlive);
    }

    private boolean areCoresIdle() {
        long now = System.nanoTime();
        long busy = AvailableCores.busyNanos();
        double share = (busy - lastBusy) / ((double) (now - lastLook) * AvailableCores.allocated());
        lastLook = now;
        lastBusy = busy;
        return share < BUSY;
    }
}
