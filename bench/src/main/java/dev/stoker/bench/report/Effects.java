package dev.stoker.bench.report;

import dev.stoker.bench.Figures;
import dev.stoker.bench.sweep.Comparison;
import java.util.List;

/** How many times as fast a setting makes each format: bars to both sides of a line that means no difference. */
final class Effects {
    private static final double LEAST_SPAN = Math.log(1.5);

    private Effects() {}

    /** One chart; its scale is logarithmic and has the same length to both sides. */
    static String chart(String heading, List<Comparison> comparisons) {
        double span = LEAST_SPAN;
        for (Comparison each : comparisons) {
            span = Math.max(span, Math.max(Math.abs(Math.log(each.lowest())), Math.abs(Math.log(each.highest()))));
        }
        var rows = new StringBuilder();
        for (Comparison each : comparisons) {
            rows.append(row(each, span));
        }
        return "<div class=\"effect\"><h3>" + Html.text(heading) + "</h3><div class=\"chart\">" + rows + "</div></div>";
    }

    private static String row(Comparison comparison, double span) {
        double at = place(comparison.ratio(), span);
        String kind = comparison.isFaster() ? "faster" : comparison.isSlower() ? "slower" : "tie";
        return "<div class=\"row\" title=\"" + Figures.ratio(comparison.lowest()) + " to "
                + Figures.ratio(comparison.highest()) + "\"><span class=\"label\">" + Html.text(comparison.format())
                + "</span><span class=\"track middle\"><span class=\"bar " + kind + "\" style=\"left:"
                + Html.percent(Math.min(at, 0.5)) + ";width:" + Html.percent(Math.abs(at - 0.5)) + "\"></span>"
                + Bars.spread(place(comparison.lowest(), span), place(comparison.highest(), span))
                + "</span><span class=\"value\">× " + Figures.ratio(comparison.ratio()) + "</span></div>";
    }

    private static double place(double ratio, double span) {
        return 0.5 + 0.5 * Math.log(ratio) / span;
    }
}
