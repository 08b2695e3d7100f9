package dev.stoker.metric.export;

import dev.stoker.metric.MeterSnapshot;
import dev.stoker.metric.Metric;
import dev.stoker.metric.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The text that Prometheus reads (exposition format 0.0.4). */
final class PrometheusText {
    static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final String PREFIX = "stoker_";

    private PrometheusText() {}

    static String of(Snapshot snapshot) {
        var text = new StringBuilder();
        for (Metric metric : Metric.values()) {
            List<MeterSnapshot> readings = snapshot.of(metric.source());
            if (!readings.isEmpty()) {
                String name = PREFIX + metric.label();
                text.append("# HELP ")
                        .append(name)
                        .append(' ')
                        .append(metric.help())
                        .append('\n');
                text.append("# TYPE ").append(name).append(metric.isCounter() ? " counter\n" : " gauge\n");
                for (MeterSnapshot reading : readings) {
                    text.append(name).append(labels(snapshot, reading)).append(' ');
                    text.append(number(reading.get(metric))).append('\n');
                }
            }
        }
        return text.toString();
    }

    private static String labels(Snapshot snapshot, MeterSnapshot reading) {
        var labels = new ArrayList<String>();
        labels.add(label("command", snapshot.command()));
        for (Map.Entry<String, String> label : reading.labels().entrySet()) {
            labels.add(label(label.getKey(), label.getValue()));
        }
        return "{" + String.join(",", labels) + "}";
    }

    private static String label(String name, String value) {
        return name + "=\"" + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    /** Java writes numbers as Prometheus reads them, but for infinity. */
    static String number(double value) {
        if (Double.isInfinite(value)) {
            return value > 0 ? "+Inf" : "-Inf";
        }
        return Double.toString(value);
    }
}
