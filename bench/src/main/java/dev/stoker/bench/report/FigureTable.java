package dev.stoker.bench.report;

import dev.stoker.bench.Figures;
import dev.stoker.bench.Statistics;
import dev.stoker.bench.sweep.Measurement;
import dev.stoker.bench.sweep.SweepResult;
import dev.stoker.text.Sizes;
import java.util.List;
import java.util.Locale;

/** All figures of all formats and settings, and what could not be measured. */
final class FigureTable {
    private static final List<String> HEADINGS = List.of(
            "format",
            "setting",
            "samples/s",
            "lowest",
            "highest",
            "bytes/s",
            "median wait",
            "99% wait",
            "CPU/sample",
            "memory",
            "container",
            "packed in");

    private FigureTable() {}

    static String of(SweepResult result) {
        var table = new StringBuilder("<div class=\"wide\"><table class=\"figures\"><thead><tr>");
        HEADINGS.forEach(each -> table.append("<th>").append(each).append("</th>"));
        table.append("</tr></thead><tbody>");
        result.measurements().stream().filter(Measurement::isMeasured).forEach(each -> table.append(row(result, each)));
        return table.append("</tbody></table></div>").toString();
    }

    private static String row(SweepResult result, Measurement each) {
        double[] rates = each.rates();
        List<String> cells = List.of(
                each.format(),
                each.setting().nameFrom(result.base()),
                Figures.rate(each.samplesPerSecond()),
                Figures.rate(Statistics.lowest(rates)),
                Figures.rate(Statistics.highest(rates)),
                Sizes.human(each.bytesPerSecond()),
                Figures.micros(each.waitMicros(0.5)),
                Figures.micros(each.waitMicros(0.99)),
                Figures.micros(each.cpuMicrosPerSample()),
                Sizes.human(each.memoryBytes()),
                Sizes.human(each.containerBytes()),
                String.format(Locale.ROOT, "%.2f s", each.packSeconds()));
        var row = new StringBuilder("<tr>");
        cells.forEach(cell -> row.append("<td>").append(Html.text(cell)).append("</td>"));
        return row.append("</tr>").toString();
    }

    /** What could not be measured, with the reasons; empty if there is nothing. */
    static String failures(SweepResult result) {
        if (result.failures().isEmpty()) {
            return "";
        }
        var list = new StringBuilder("<ul>");
        for (String line : result.failureLines()) {
            list.append("<li>").append(Html.text(line)).append("</li>");
        }
        return list.append("</ul>").toString();
    }
}
