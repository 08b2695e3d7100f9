package dev.stoker.metric;

import dev.stoker.StokerException;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a {@link Meter} said at one moment.
 *
 * @param labels tell apart meters of one source, such as {@code rank}
 * @param note what is being done, in a word or two
 * @param values as they are shown: times in seconds
 */
public record MeterSnapshot(MetricSource source, Map<String, String> labels, String note, Map<Metric, Double> values) {
    /** A value; 0 if it was not measured. */
    public double get(Metric metric) {
        return values.getOrDefault(metric, 0.0);
    }

    /** A label; empty if there is none. */
    public String label(String name) {
        return labels.getOrDefault(name, "");
    }

    /** What came since an earlier reading of the same meter; states stay as they are. */
    public MeterSnapshot since(MeterSnapshot earlier) {
        var difference = new EnumMap<Metric, Double>(Metric.class);
        values.forEach((metric, value) ->
                difference.put(metric, metric.isCounter() ? Math.max(0, value - earlier.get(metric)) : value));
        return new MeterSnapshot(source, labels, note, difference);
    }

    /** Whether both are of the same meter. */
    public boolean isLike(MeterSnapshot other) {
        return source == other.source && labels.equals(other.labels);
    }

    /** As a JSON object. Counts have no fraction. */
    public Map<String, Object> toJson() {
        var object = new LinkedHashMap<String, Object>();
        object.put("source", source.label());
        object.putAll(labels);
        if (!note.isEmpty()) {
            object.put("note", note);
        }
        values.forEach((metric, value) -> object.put(metric.label(), number(value)));
        return object;
    }

    private static Object number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1L << 53 ? (Object) (long) value : (Object) value;
    }

    /** Reads what {@link #toJson} wrote; what this version does not know is passed over. */
    static MeterSnapshot fromJson(Map<?, ?> object) {
        MetricSource source = null;
        for (MetricSource each : MetricSource.values()) {
            if (each.label().equals(object.get("source"))) {
                source = each;
            }
        }
        if (source == null) {
            throw new StokerException("no such source of metrics: " + object.get("source"));
        }
        var labels = new LinkedHashMap<String, String>();
        var values = new EnumMap<Metric, Double>(Metric.class);
        object.forEach((name, value) -> {
            if (value instanceof String text && !name.equals("source") && !name.equals("note")) {
                labels.put(String.valueOf(name), text);
            }
        });
        for (Metric metric : Metric.values()) {
            if (object.get(metric.label()) instanceof Number number) {
                values.put(metric, number.doubleValue());
            }
        }
        return new MeterSnapshot(source, labels, object.get("note") instanceof String note ? note : "", values);
    }
}
