package dev.stoker.job;

import dev.stoker.StokerException;
import dev.stoker.os.FileErrors;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Gives this rank's heartbeat and watches those of others: rank 0 those of all, each other one that of rank 0, whose
 * failure is everybody's.
 */
final class HeartbeatMonitor {
    private static final Duration BEAT = Duration.ofSeconds(1);
    /** Until all ranks are there: those that come wait for a beat, to know that this is no dead job. */
    private static final Duration QUICK_BEAT = Duration.ofMillis(100);
    /** For each rank that rank 0 looks at in a round, so that a thousand of them are no storm of requests. */
    private static final Duration LOOK_PER_RANK = Duration.ofMillis(1);

    private final JobFolder folder;
    private final Duration timeout;
    private final boolean leads;
    /** The state of each rank that is watched, by rank; of others nothing is known here. */
    private final @Nullable RankState[] states;

    private final long[] silentNanos;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("stoker-watch").unstarted(this::watch);
    private RankState mine;
    private volatile @Nullable StokerException trouble;
    private boolean stopped;
    private int waiting;
    private long lastBeat;

    HeartbeatMonitor(JobFolder folder, RankState mine, Duration timeout) {
        this.folder = folder;
        this.mine = mine;
        this.timeout = timeout;
        this.leads = mine.rank() == 0;
        this.states = new RankState[leads ? mine.world() : 1];
        this.silentNanos = new long[states.length];
    }

    void start() {
        update(state -> state);
        thread.start();
    }

    synchronized RankState mine() {
        return mine;
    }

    synchronized @Nullable RankState state(int rank) {
        return states[rank];
    }

    /** Changes what this rank says of itself, and says it at once. */
    synchronized void update(UnaryOperator<RankState> change) {
        mine = change.apply(mine);
        beat();
    }

    private void beat() {
        mine = mine.withBeat();
        lastBeat = System.nanoTime();
        try {
            folder.put(mine);
        } catch (IOException e) {
            fail(FileErrors.cannotWrite(folder.path(), e).getMessage()
                    + "; another job took over, or the disk is full");
        }
    }

    private void fail(String reason) {
        if (trouble == null) {
            trouble = new StokerException(reason);
        }
        notifyAll();
    }

    void requireGoing() {
        StokerException found = trouble;
        if (found != null) {
            throw new StokerException(String.valueOf(found.getMessage()), found);
        }
    }

    /** Waits until something is there. */
    synchronized String await(Supplier<@Nullable String> wanted) {
        waiting++;
        try {
            LockSupport.unpark(thread);
            for (String found = wanted.get(); ; found = wanted.get()) {
                if (found != null) {
                    return found;
                }
                requireGoing();
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StokerException("interrupted", e);
        } finally {
            waiting--;
        }
    }

    synchronized boolean haveAllLeft() {
        for (int rank = 1; rank < states.length; rank++) {
            RankState state = states[rank];
            if (state == null || !state.isOver()) {
                return false;
            }
        }
        return true;
    }

    void stop() {
        synchronized (this) {
            stopped = true;
        }
        LockSupport.unpark(thread);
        try {
            thread.join(BEAT.multipliedBy(2));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Says why this rank leaves, as well as it still can. */
    synchronized void lastWord(String reason) {
        if (!mine.isOver()) {
            mine = mine.withFailure(reason);
            beat();
        }
    }

    private void watch() {
        long last = System.nanoTime();
        while (true) {
            synchronized (this) {
                if (stopped) {
                    return;
                }
                if (System.nanoTime() - lastBeat >= (isComplete() ? BEAT : QUICK_BEAT).toNanos()) {
                    beat();
                }
            }
            long now = System.nanoTime();
            try {
                look(now - last);
            } catch (RuntimeException e) {
                synchronized (this) {
                    fail("[" + folder.path() + "] cannot be watched: " + e.getMessage());
                }
            }
            last = now;
            synchronized (this) {
                notifyAll();
            }
            LockSupport.parkNanos(pauseNanos());
        }
    }

    private synchronized long pauseNanos() {
        // Someone waits for a step, or for a first beat: look often. Else a look in a second is enough.
        Duration often =
                QUICK_BEAT.plus(LOOK_PER_RANK.multipliedBy(states.length)).dividedBy(2);
        return (waiting > 0 || !isComplete() ? often : BEAT).toNanos();
    }

    private boolean isComplete() {
        for (int rank = leads ? 1 : 0; rank < states.length; rank++) {
            if (states[rank] == null) {
                return false;
            }
        }
        return true;
    }

    private void look(long elapsed) {
        for (int rank = leads ? 1 : 0; rank < states.length; rank++) {
            RankState before = state(rank);
            if (before == null || !before.isOver()) {
                RankState now = folder.state(rank);
                synchronized (this) {
                    seen(rank, before, now, elapsed);
                }
            }
        }
        RankState own = folder.state(mine.rank());
        if (own != null && !own.nonce().equals(mine.nonce())) {
            synchronized (this) {
                fail("two processes have rank " + mine.rank() + ": " + own.who() + ", and " + mine.who()
                        + "; give each process its own rank");
            }
        }
    }

    private void seen(int rank, @Nullable RankState before, @Nullable RankState now, long elapsed) {
        if (now != null && (before == null || !before.isSameMoment(now))) {
            silentNanos[rank] = 0;
            states[rank] = now;
            if (now.failure() != null) {
                fail(now.name() + " gave up: " + now.failure());
            }
            return;
        }
        // If this process stood still itself, that is no silence of others: one look counts for little.
        silentNanos[rank] += Math.min(elapsed, 2 * BEAT.toNanos());
        if (silentNanos[rank] > timeout.toNanos()) {
            fail(
                    before == null
                            ? "rank " + rank + " of " + mine.world() + " did not start within " + timeout.toSeconds()
                                    + " s; start all ranks, or give --rank 0 --world 1 for a process on its own"
                            : before.name() + " has not responded for " + timeout.toSeconds()
                                    + " s: it died, or its node cannot reach " + folder.path());
        }
    }
}
