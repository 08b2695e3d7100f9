package dev.stoker.bench.report;

import dev.stoker.bench.Figures;
import dev.stoker.bench.sweep.Measurement;
import dev.stoker.bench.sweep.Setting;
import dev.stoker.bench.sweep.SweepResult;
import java.util.List;
import java.util.Optional;

/** Samples per second of every format with every setting; the fuller the colour, the faster. */
final class HeatMap {
    /** Text has to stay readable on the fullest colour. */
    private static final double FULLEST = 0.55;

    private HeatMap() {}

    static String of(SweepResult result, List<String> formats) {
        double most = result.measurements().stream()
                .filter(Measurement::isMeasured)
                .mapToDouble(Measurement::samplesPerSecond)
                .max()
                .orElse(1);
        double least = result.measurements().stream()
                .filter(Measurement::isMeasured)
                .mapToDouble(Measurement::samplesPerSecond)
                .min()
                .orElse(1);
        var table = new StringBuilder("<div class=\"wide chart\"><table class=\"heat\"><thead><tr><th></th>");
        for (Setting setting : result.settings()) {
            table.append("<th>")
                    .append(Html.text(setting.nameFrom(result.base())))
                    .append("</th>");
        }
        table.append("</tr></thead><tbody>");
        for (String format : formats) {
            table.append("<tr><th>").append(Html.text(format)).append("</th>");
            for (Setting setting : result.settings()) {
                table.append(cell(result.measured(format, setting), least, most));
            }
            table.append("</tr>");
        }
        return table.append("</tbody></table></div>").toString();
    }

    private static String cell(Optional<Measurement> measured, double least, double most) {
        return measured.map(each -> {
                    double rate = each.samplesPerSecond();
                    // Rates differ by factors, so the colour follows their logarithm.
                    double part = most > least ? Math.log(rate / least) / Math.log(most / least) : 1;
                    return "<td style=\"--part:" + Html.percent(FULLEST * part) + "\">" + Figures.rate(rate) + "</td>";
                })
                .orElse("<td class=\"none\">–</td>");
    }
}
