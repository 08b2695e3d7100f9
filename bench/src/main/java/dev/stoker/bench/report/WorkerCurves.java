package dev.stoker.bench.report;

import dev.stoker.bench.Figures;
import dev.stoker.bench.Statistics;
import dev.stoker.bench.sweep.Measurement;
import dev.stoker.bench.sweep.SweepResult;
import java.util.List;
import java.util.Locale;

/** Samples per second over the number of workers: a small picture for each format, all with one scale. */
final class WorkerCurves {
    private static final double WIDTH = 160;
    private static final double HEIGHT = 96;
    private static final double LEFT = 10;
    private static final double RIGHT = 10;
    private static final double TOP = 18;
    private static final double BOTTOM = 16;

    private final List<Integer> counts;
    private final double most;

    private WorkerCurves(List<Integer> counts, double most) {
        this.counts = counts;
        this.most = most;
    }

    /** The curves; empty if there was one number of workers only. */
    static String of(SweepResult result, List<String> formats) {
        var settings = result.workerCurve();
        if (settings.size() < 2) {
            return "";
        }
        double most = settings.stream()
                .flatMap(setting -> result.ranked(setting).stream())
                .mapToDouble(each -> Statistics.highest(each.rates()))
                .max()
                .orElse(1);
        var curves =
                new WorkerCurves(settings.stream().map(each -> each.workers()).toList(), most);
        var pictures = new StringBuilder("<div class=\"curves\">");
        for (String format : formats) {
            List<Measurement> points = settings.stream()
                    .flatMap(setting -> result.measured(format, setting).stream())
                    .toList();
            if (points.size() > 1) {
                pictures.append(curves.picture(format, points));
            }
        }
        return pictures.append("</div>").toString();
    }

    private String picture(String format, List<Measurement> points) {
        var line = new StringBuilder();
        var upper = new StringBuilder();
        var lower = new StringBuilder();
        var marks = new StringBuilder();
        for (Measurement point : points) {
            double x = x(point.setting().workers());
            line.append(at(x, y(point.samplesPerSecond())));
            upper.append(at(x, y(Statistics.highest(point.rates()))));
            lower.insert(0, at(x, y(Statistics.lowest(point.rates()))));
            marks.append(String.format(
                    Locale.ROOT,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.2\"/><text class=\"tick\" x=\"%.1f\" y=\"%.1f\">%d</text>",
                    x,
                    y(point.samplesPerSecond()),
                    x,
                    HEIGHT - 4,
                    point.setting().workers()));
        }
        double best =
                points.stream().mapToDouble(Measurement::samplesPerSecond).max().orElse(0);
        return String.format(
                        Locale.ROOT,
                        "<figure class=\"chart\"><svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"%s: samples per"
                                + " second over workers\"><text class=\"name\" x=\"%.0f\" y=\"11\">%s</text>"
                                + "<text class=\"most\" x=\"%.0f\" y=\"11\">%s</text>",
                        WIDTH,
                        HEIGHT,
                        Html.text(format),
                        LEFT - 4,
                        Html.text(format),
                        WIDTH - RIGHT + 4,
                        Figures.rate(best))
                + String.format(
                        Locale.ROOT,
                        "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>",
                        LEFT - 4,
                        WIDTH - RIGHT + 4,
                        HEIGHT - BOTTOM,
                        HEIGHT - BOTTOM)
                + "<polygon class=\"band\" points=\"" + upper + lower + "\"/><polyline points=\"" + line + "\"/>"
                + marks
                + "</svg></figure>";
    }

    private static String at(double x, double y) {
        return String.format(Locale.ROOT, "%.1f,%.1f ", x, y);
    }

    /** Every doubling takes as much room. */
    private double x(int workers) {
        double first = Math.log(counts.getFirst());
        double last = Math.log(counts.getLast());
        return LEFT + (WIDTH - LEFT - RIGHT) * (Math.log(workers) - first) / (last - first);
    }

    private double y(double rate) {
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * rate / most;
    }
}
