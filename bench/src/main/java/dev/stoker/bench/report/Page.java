package dev.stoker.bench.report;

import dev.stoker.bench.Figures;
import dev.stoker.bench.sweep.Answer;
import dev.stoker.bench.sweep.Answers;
import dev.stoker.bench.sweep.Comparison;
import dev.stoker.bench.sweep.Machine;
import dev.stoker.bench.sweep.Measurement;
import dev.stoker.bench.sweep.Setting;
import dev.stoker.bench.sweep.SweepResult;
import dev.stoker.text.Sizes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/** The report: one page that needs nothing beside itself, no network and no script. */
final class Page {
    private final SweepResult result;
    private final Origin origin;
    private final List<Measurement> ranked;
    private final List<String> formats;

    Page(SweepResult result, Origin origin) {
        this.result = result;
        this.origin = origin;
        this.ranked = result.ranked(result.base());
        this.formats = result.formatsByRank();
    }

    String html() {
        List<Answer> answers = Answers.of(result);
        return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
                + "<meta name=\"color-scheme\" content=\"light dark\"><title>Stoker bench</title>\n<style>"
                + style() + "</style></head>\n<body><main>\n"
                + header(answers.getFirst())
                + answers(answers.subList(1, answers.size()))
                + (ranked.isEmpty() ? "" : charts())
                + failures()
                + table()
                + method()
                + "</main></body></html>\n";
    }

    private static String style() {
        try (InputStream in = Objects.requireNonNull(Page.class.getResourceAsStream("report.css"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String header(Answer best) {
        return "<header><p class=\"kicker\">stoker bench</p><h1>" + Html.text(best.question())
                + "</h1><p class=\"lead\">" + Html.text(best.sentence()) + "</p><p class=\"meta\">" + Html.text(about())
                + "<br>" + Html.text(origin.date() + " · Stoker " + origin.version()) + "<br><code>"
                + Html.text(origin.command()) + "</code></p></header>\n";
    }

    private String about() {
        Machine machine = result.machine();
        String data = result.workload().data() == null
                ? "generated arrays with labels"
                : String.valueOf(result.workload().data().getFileName());
        return Figures.count(result.samples()) + " samples, " + Sizes.human(result.bytes()) + " (" + data + ") · "
                + machine.cores() + (machine.cores() == 1 ? " core" : " cores") + ", "
                + Sizes.human(machine.memoryBytes()) + " of memory · " + machine.filesystem();
    }

    private static String answers(List<Answer> answers) {
        return answers.stream()
                .map(each -> "<article><h2>" + Html.text(each.question()) + "</h2><p>" + Html.text(each.sentence())
                        + "</p></article>")
                .collect(Collectors.joining("", "<section id=\"answers\">", "</section>\n"));
    }

    private String charts() {
        var charts = new StringBuilder();
        charts.append(Html.section(
                "formats",
                "Samples per second by format",
                "Base: " + result.base().describe() + ". Bars are medians of " + result.repeats()
                        + " rounds; lines run from the slowest round to the fastest.",
                Bars.rates(ranked, Figures::rate)));
        String effects = effects();
        if (!effects.isEmpty()) {
            charts.append(Html.section(
                    "settings",
                    "What each setting changes",
                    "Speedup over the base setting, on a logarithmic scale; the center line means no difference. Gray:"
                            + " no clear difference.",
                    "<div class=\"effects\">" + effects + "</div>"));
        }
        String curves = WorkerCurves.of(result, formats);
        if (!curves.isEmpty()) {
            charts.append(Html.section(
                    "workers",
                    "Workers",
                    "Samples per second by number of workers, all formats on one scale. The band runs from the slowest"
                            + " round to the fastest; the number is the best.",
                    curves));
        }
        charts.append(Html.section(
                "heat",
                "Every format with every setting",
                "Samples per second. Each column changes one setting. Darker is faster.",
                HeatMap.of(result, formats)));
        charts.append(Html.section(
                "latency",
                "Waiting time per batch",
                "Dot: median. Bar: 90%. Line and number: 99%. Mark: maximum. Base setting, logarithmic scale.",
                Latencies.of(ranked)));
        charts.append(Html.section(
                "cost",
                "CPU and memory",
                "Base setting. CPU time per sample; process memory without mapped files (heap, buffers and the JVM"
                        + " itself); size of the container, and the time to write it.",
                cost()));
        return charts.toString();
    }

    private String effects() {
        var charts = new StringBuilder();
        for (Setting.Change change : Setting.Change.values()) {
            for (Setting changed : change == Setting.Change.NONE ? List.<Setting>of() : result.changed(change)) {
                List<Comparison> all = result.compared(changed, result.base());
                if (!all.isEmpty()) {
                    String name = changed.nameFrom(result.base());
                    charts.append(Effects.chart(name, all.reversed()));
                }
            }
        }
        return charts.toString();
    }

    private String cost() {
        return "<div class=\"effects\">"
                + titled("CPU per sample", Bars.figures(ranked, Measurement::cpuMicrosPerSample, Figures::micros))
                + titled("Memory", Bars.figures(ranked, Measurement::memoryBytes, Sizes::human))
                + titled("Container", Bars.figures(ranked, Measurement::containerBytes, Sizes::human))
                + titled(
                        "Packed in",
                        Bars.figures(
                                ranked,
                                Measurement::packSeconds,
                                seconds -> String.format(Locale.ROOT, "%.2f s", seconds)))
                + "</div>";
    }

    private static String titled(String heading, String chart) {
        return "<div class=\"effect\"><h3>" + Html.text(heading) + "</h3>" + chart + "</div>";
    }

    private String failures() {
        return result.failures().isEmpty()
                ? ""
                : Html.section(
                        "failures", "Not measured", "Everything else was measured.", FigureTable.failures(result));
    }

    private String table() {
        return "<section id=\"table\"><details><summary>All figures</summary>" + FigureTable.of(result)
                + "</details></section>\n";
    }

    private String method() {
        Machine machine = result.machine();
        var list = new StringBuilder("<ul>");
        for (String line : List.of(
                machine.processor() + ", " + machine.cores()
                        + (machine.cores() == 1 ? " allocated core, " : " allocated cores, ")
                        + Sizes.human(machine.memoryBytes()) + " of memory",
                machine.kernel() + "; " + machine.java(),
                "Storage: " + machine.filesystem() + ", " + Sizes.human(machine.freeBytes()) + " free",
                "One process per format; each round runs all formats and settings in a different order. In an uncounted"
                        + " warm-up round, every byte was compared with what was packed.",
                "Seed " + result.workload().seed() + ", " + result.repeats() + " rounds, "
                        + String.format(Locale.ROOT, "%.0f s total", result.seconds())
                        + ". Every round's figures are in results.json.")) {
            list.append("<li>").append(Html.text(line)).append("</li>");
        }
        result.notes()
                .forEach(note -> list.append("<li>").append(Html.text(note)).append("</li>"));
        return Html.section(
                "method", "How it was measured", "", list.append("</ul>").toString());
    }
}
