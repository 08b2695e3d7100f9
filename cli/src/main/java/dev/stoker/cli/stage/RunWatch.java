package dev.stoker.cli.stage;

import dev.stoker.StokerException;
import dev.stoker.metric.Bottleneck;
import dev.stoker.metric.Metric;
import dev.stoker.metric.MetricSource;
import dev.stoker.metric.Snapshot;
import dev.stoker.metric.SnapshotBoards;
import dev.stoker.metric.TimeUsage;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks from time to time at what the feeds inside a run show, since they may end before it does. */
final class RunWatch implements AutoCloseable {
    private static final int MILLIS = 2_000;

    private final String run;
    private final Map<Long, Snapshot> seen = new HashMap<>();
    private final Thread thread =
            Thread.ofPlatform().daemon().name("stoker-watch").unstarted(this::watch);

    RunWatch(String run) {
        this.run = run;
    }

    void start() {
        thread.start();
    }

    private void watch() {
        try {
            while (true) {
                Thread.sleep(MILLIS);
                look();
            }
        } catch (InterruptedException e) {
            // The run is over.
        }
    }

    private synchronized void look() {
        try {
            for (Snapshot snapshot : SnapshotBoards.look()) {
                if (snapshot.run().equals(run)
                        && !snapshot.of(MetricSource.FEED).isEmpty()) {
                    seen.put(snapshot.pid(), snapshot);
                }
            }
        } catch (StokerException e) {
            // Without /proc nothing is seen; the run goes on.
        }
    }

    /** What limited the process that delivered most; null if none was seen. */
    synchronized @Nullable Bottleneck bottleneck() {
        look();
        return seen.values().stream()
                .max(Comparator.comparingDouble(RunWatch::batches))
                .map(snapshot -> Bottleneck.of(TimeUsage.of(snapshot)))
                .orElse(null);
    }

    private static double batches(Snapshot snapshot) {
        return snapshot.of(MetricSource.FEED).stream()
                .mapToDouble(each -> each.get(Metric.FEED_BATCHES))
                .sum();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
