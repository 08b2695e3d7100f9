package dev.stoker.bench.report;

import dev.stoker.bench.Statistics;
import dev.stoker.bench.sweep.Measurement;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/** Horizontal bars, one for each format, with a line from the lowest round to the highest. */
final class Bars {
    private Bars() {}

    /** Samples per second of some measurements in their order. */
    static String rates(List<Measurement> measurements, DoubleFunction<String> shown) {
        double most = measurements.stream()
                .mapToDouble(each -> Statistics.highest(each.rates()))
                .max()
                .orElse(1);
        var rows = new StringBuilder();
        for (Measurement each : measurements) {
            double lowest = Statistics.lowest(each.rates());
            double highest = Statistics.highest(each.rates());
            rows.append(row(
                    each.format(),
                    each.samplesPerSecond() / most,
                    spread(lowest / most, highest / most),
                    shown.apply(each.samplesPerSecond()),
                    shown.apply(lowest) + " to " + shown.apply(highest)));
        }
        return chart(rows);
    }

    /** One figure of some measurements, the smallest first. */
    static String figures(
            List<Measurement> measurements, ToDoubleFunction<Measurement> figure, DoubleFunction<String> shown) {
        double most = measurements.stream().mapToDouble(figure).max().orElse(1);
        var rows = new StringBuilder();
        measurements.stream()
                .sorted((a, b) -> Double.compare(figure.applyAsDouble(a), figure.applyAsDouble(b)))
                .forEach(each -> {
                    double value = figure.applyAsDouble(each);
                    rows.append(row(each.format(), most > 0 ? value / most : 0, "", shown.apply(value), ""));
                });
        return chart(rows);
    }

    private static String chart(CharSequence rows) {
        return "<div class=\"chart bars\">" + rows + "</div>";
    }

    private static String row(String label, double part, String spread, String value, String title) {
        return "<div class=\"row\" title=\"" + Html.text(title) + "\"><span class=\"label\">" + Html.text(label)
                + "</span><span class=\"track\"><span class=\"bar\" style=\"width:" + Html.percent(part) + "\"></span>"
                + spread + "</span><span class=\"value\">" + Html.text(value) + "</span></div>";
    }

    /** A line between two places of a track. */
    static String spread(double from, double to) {
        return "<span class=\"spread\" style=\"left:" + Html.percent(from) + ";width:" + Html.percent(to - from)
                + "\"></span>";
    }
}
