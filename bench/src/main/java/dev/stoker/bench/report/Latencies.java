package dev.stoker.bench.report;

import dev.stoker.bench.Figures;
import dev.stoker.bench.sweep.Measurement;
import java.util.List;

/** Waiting time per batch: from the median to 90% thick, to 99% thin, the longest as a mark. */
final class Latencies {
    private static final double MIDDLE = 0.5;
    private static final double NEARLY_ALL = 0.9;
    private static final double ALL_BUT_FEW = 0.99;

    private final double least;
    private final double most;

    private Latencies(double least, double most) {
        this.least = least;
        this.most = most;
    }

    static String of(List<Measurement> measurements) {
        double least = measurements.stream()
                .mapToDouble(each -> each.waitMicros(MIDDLE))
                .min()
                .orElse(1);
        double most = measurements.stream()
                .mapToDouble(each -> each.waitMicros(1))
                .max()
                .orElse(1);
        // Whole powers of ten, so that the marks of the scale lie at its ends.
        var scale =
                new Latencies(Math.floor(Math.log10(Math.max(least, 0.1))), Math.ceil(Math.log10(Math.max(most, 1))));
        var rows = new StringBuilder();
        for (Measurement each : measurements) {
            rows.append(scale.row(each));
        }
        return "<div class=\"chart\">" + rows + scale.marks() + "</div>";
    }

    private String row(Measurement measurement) {
        double middle = place(measurement.waitMicros(MIDDLE));
        double thick = place(measurement.waitMicros(NEARLY_ALL));
        double thin = place(measurement.waitMicros(ALL_BUT_FEW));
        double longest = place(measurement.waitMicros(1));
        return "<div class=\"row\" title=\"half within " + Figures.micros(measurement.waitMicros(MIDDLE))
                + ", 90% within " + Figures.micros(measurement.waitMicros(NEARLY_ALL)) + ", longest "
                + Figures.micros(measurement.waitMicros(1)) + "\"><span class=\"label\">"
                + Html.text(measurement.format()) + "</span><span class=\"track\">" + Bars.spread(middle, thin)
                + "<span class=\"bar\" style=\"left:" + Html.percent(middle) + ";width:" + Html.percent(thick - middle)
                + "\"></span><span class=\"dot\" style=\"left:" + Html.percent(middle)
                + "\"></span><span class=\"mark\" style=\"left:" + Html.percent(longest)
                + "\"></span></span><span class=\"value\">" + Figures.micros(measurement.waitMicros(ALL_BUT_FEW))
                + "</span></div>";
    }

    private String marks() {
        var marks = new StringBuilder("<div class=\"row scale\"><span class=\"label\"></span><span class=\"track\">");
        for (double power = least; power <= most; power++) {
            marks.append("<span class=\"tick\" style=\"left:")
                    .append(Html.percent((power - least) / (most - least)))
                    .append("\">")
                    .append(Figures.micros(Math.pow(10, power)).replace(".0", ""))
                    .append("</span>");
        }
        return marks.append("</span><span class=\"value\">99%</span></div>").toString();
    }

    private double place(double micros) {
        return (Math.log10(Math.max(micros, 0.01)) - least) / (most - least);
    }
}
