package dev.stoker.cli.feed;

import dev.stoker.metric.Bottleneck;
import dev.stoker.metric.MeterSnapshot;
import dev.stoker.metric.Metric;
import dev.stoker.metric.MetricSource;
import dev.stoker.metric.Snapshot;
import dev.stoker.metric.TimeUsage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** One process as {@code stoker top} follows it: its snapshots of the last seconds, and what they say. */
final class TopProcess {
    /** The number of snapshots, about one per second, that show what limits a process. */
    private static final int JUDGED = 10;

    private static final int REMEMBERED = 120;

    private final Deque<Snapshot> seen = new ArrayDeque<>();
    private final Map<Map<String, String>, Deque<Double>> rates = new HashMap<>();

    /** One feed in the time between the last two snapshots. */
    record Feed(MeterSnapshot total, MeterSnapshot now, double seconds, List<Double> trend) {
        double perSecond(Metric metric) {
            return seconds > 0 ? now.get(metric) / seconds : 0;
        }

        /** The part of the threads' time that something took. */
        double threadShare(Metric metric) {
            double all = 0;
            for (Metric each : List.of(Metric.FEED_READ, Metric.FEED_DECODE, Metric.FEED_BATCH, Metric.FEED_IDLE)) {
                all += now.get(each);
            }
            return all > 0 ? now.get(metric) / all : 0;
        }

        /** The part of its time that the training waited. */
        double waitShare() {
            double all = now.get(Metric.FEED_WAIT) + now.get(Metric.FEED_TRAIN);
            return all > 0 ? now.get(Metric.FEED_WAIT) / all : 0;
        }
    }

    TopProcess(Snapshot first) {
        seen.add(first);
    }

    /** Notes what the process shows now, unless that is what it showed before. */
    void see(Snapshot snapshot) {
        if (snapshot.time() <= seen.getLast().time()) {
            return;
        }
        seen.addLast(snapshot);
        if (seen.size() > JUDGED) {
            seen.removeFirst();
        }
        for (Feed feed : feeds()) {
            Deque<Double> rate = rates.computeIfAbsent(feed.total.labels(), _ -> new ArrayDeque<>());
            rate.addLast(feed.perSecond(Metric.FEED_SAMPLES));
            if (rate.size() > REMEMBERED) {
                rate.removeFirst();
            }
        }
    }

    Snapshot latest() {
        return seen.getLast();
    }

    private Snapshot before() {
        var all = new ArrayList<>(seen);
        return all.get(Math.max(0, all.size() - 2));
    }

    /** The feeds; one that does nothing any more, since its loader was closed, is left out. */
    List<Feed> feeds() {
        Snapshot before = before();
        Snapshot change = latest().since(before);
        double seconds = latest().time() - before.time();
        var feeds = new ArrayList<Feed>();
        for (MeterSnapshot total : latest().of(MetricSource.FEED)) {
            if (total.get(Metric.FEED_THREADS) > 0) {
                feeds.add(new Feed(
                        total,
                        change.like(total).orElse(total),
                        seconds,
                        List.copyOf(rates.getOrDefault(total.labels(), new ArrayDeque<>()))));
            }
        }
        return feeds;
    }

    /** What a pack has done in each second. */
    double bytesPerSecond(MeterSnapshot pack) {
        double seconds = latest().time() - before().time();
        double earlier =
                before().like(pack).map(each -> each.get(Metric.PACK_BYTES)).orElse(0.0);
        return seconds > 0 ? Math.max(0, pack.get(Metric.PACK_BYTES) - earlier) / seconds : 0;
    }

    double coresBusy() {
        Snapshot change = latest().since(before());
        double seconds = latest().time() - before().time();
        double cpu = change.of(MetricSource.PROCESS).stream()
                .mapToDouble(each -> each.get(Metric.PROCESS_CPU))
                .sum();
        return seconds > 0 ? cpu / seconds : 0;
    }

    double cores() {
        return latest().of(MetricSource.PROCESS).stream()
                .mapToDouble(each -> each.get(Metric.PROCESS_CORES))
                .sum();
    }

    /** By the last seconds; where these had too few batches, by all since the start. */
    Bottleneck bottleneck() {
        Bottleneck now = Bottleneck.of(TimeUsage.of(latest().since(seen.getFirst())));
        return now.limit() == Bottleneck.Limit.UNKNOWN ? Bottleneck.of(TimeUsage.of(latest())) : now;
    }
}
