package dev.stoker.metric;

import dev.stoker.PublicApi;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The counts of all that have the same labels, such as the feeds of a rank, one after another or at once: what is over
 * stays counted, so that a counter never falls. Safe for any number of threads.
 */
@PublicApi
public final class Meter {
    private final MetricSource source;
    private final Map<String, String> labels;
    private final Map<Metric, Long> past = new EnumMap<>(Metric.class);
    private final List<Measurable> present = new ArrayList<>();

    Meter(MetricSource source, Map<String, String> labels) {
        this.source = source;
        this.labels = labels;
    }

    /** Counts what begins now. */
    public synchronized void attach(Measurable measured) {
        present.add(measured);
    }

    /** Keeps the counts of what is over. */
    public synchronized void detach(Measurable measured) {
        if (present.remove(measured)) {
            for (Metric metric : Metric.values()) {
                if (metric.source() == source && metric.isCounter()) {
                    past.merge(metric, measured.now(metric), Long::sum);
                }
            }
        }
    }

    /** What it has counted by now. */
    public synchronized MeterSnapshot read() {
        var values = new EnumMap<Metric, Double>(Metric.class);
        for (Metric metric : Metric.values()) {
            if (metric.source() == source) {
                long sum = past.getOrDefault(metric, 0L);
                for (Measurable each : present) {
                    sum += each.now(metric);
                }
                values.put(metric, metric.shown(sum));
            }
        }
        String note = present.isEmpty() ? "" : present.getLast().note();
        return new MeterSnapshot(source, labels, note, values);
    }
}
