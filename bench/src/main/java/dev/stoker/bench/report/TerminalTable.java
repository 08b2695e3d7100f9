package dev.stoker.bench.report;

import dev.stoker.bench.Figures;
import dev.stoker.bench.Statistics;
import dev.stoker.bench.sweep.Answer;
import dev.stoker.bench.sweep.Answers;
import dev.stoker.bench.sweep.Comparison;
import dev.stoker.bench.sweep.Measurement;
import dev.stoker.bench.sweep.Setting;
import dev.stoker.bench.sweep.SweepResult;
import dev.stoker.text.Sizes;
import java.util.List;
import java.util.Locale;

/** The result as lines of text: the answers, bars for each format, and what each setting changes. */
final class TerminalTable {
    private static final int WIDTH = 100;
    private static final int NARROWEST = 60;
    private static final int WIDEST = 120;
    private static final int BAR = 24;
    private static final String EIGHTHS = " ▏▎▍▌▋▊▉█";
    private static final String BOLD = "1";
    private static final String GREEN = "32";
    private static final String RED = "31";
    private static final String CYAN = "36";

    private final SweepResult result;
    private final int width;
    private final boolean colours;
    private final StringBuilder out = new StringBuilder();

    /**
     * Describes where it goes.
     *
     * @param columns of the terminal; 0 if it does not go to one, then there are no colours
     */
    TerminalTable(SweepResult result, int columns) {
        this.result = result;
        this.colours = columns > 0 && System.getenv("NO_COLOR") == null;
        this.width = columns > 0 ? Math.clamp(columns, NARROWEST, WIDEST) : WIDTH;
    }

    String text() {
        for (Answer answer : Answers.of(result)) {
            out.append(coloured(BOLD, answer.question())).append('\n');
            wrap(answer.sentence());
            out.append('\n');
        }
        List<Measurement> ranked = result.ranked(result.base());
        if (!ranked.isEmpty()) {
            out.append("Base: ").append(result.base().describe()).append("\n\n");
            bars(ranked);
            changes();
        }
        if (!result.failures().isEmpty()) {
            out.append("\nNot measured:\n");
            result.failureLines().forEach(this::wrap);
        }
        return out.toString();
    }

    private void bars(List<Measurement> ranked) {
        double most = ranked.getFirst().samplesPerSecond();
        out.append(String.format(
                "%-9s %-" + BAR + "s %9s %8s %10s %9s %10s %9s%n",
                "format",
                "",
                "samples/s",
                "spread",
                "bytes/s",
                "wait 99%",
                "CPU/sample",
                "packed in"));
        for (Measurement each : ranked) {
            double[] rates = each.rates();
            double spread = (Statistics.highest(rates) - Statistics.lowest(rates)) / 2 / each.samplesPerSecond();
            out.append(String.format(
                    Locale.ROOT,
                    "%-9s %s %9s %8s %10s %9s %10s %9s%n",
                    each.format(),
                    coloured(CYAN, bar(each.samplesPerSecond() / most)),
                    Figures.rate(each.samplesPerSecond()),
                    String.format(Locale.ROOT, "± %.0f%%", 100 * spread),
                    Sizes.human(each.bytesPerSecond()),
                    Figures.micros(each.waitMicros(0.99)),
                    Figures.micros(each.cpuMicrosPerSample()),
                    String.format(Locale.ROOT, "%.2f s", each.packSeconds())));
        }
    }

    private static String bar(double part) {
        int eighths = (int) Math.round(part * BAR * 8);
        String bar = "█".repeat(eighths / 8) + (eighths % 8 == 0 ? "" : EIGHTHS.charAt(eighths % 8));
        return bar + " ".repeat(BAR - bar.length());
    }

    /** The speed of each format with each change. */
    private void changes() {
        List<Setting> changed = result.settings().subList(1, result.settings().size());
        if (changed.isEmpty()) {
            return;
        }
        out.append("\nSpeed relative to the base setting ('=': no clear difference):\n\n");
        out.append(String.format("%-9s", "format"));
        for (Setting setting : changed) {
            out.append("  ").append(name(setting));
        }
        out.append('\n');
        for (String format : result.formatsByRank()) {
            var line = new StringBuilder(String.format("%-9s", format));
            boolean isAny = false;
            for (Setting setting : changed) {
                List<Comparison> found = result.compared(setting, result.base()).stream()
                        .filter(each -> each.format().equals(format))
                        .toList();
                isAny |= !found.isEmpty();
                line.append("  ").append(cell(found, name(setting).length()));
            }
            if (isAny) {
                out.append(line.toString().stripTrailing()).append('\n');
            }
        }
    }

    private String name(Setting setting) {
        return setting.nameFrom(result.base());
    }

    private String cell(List<Comparison> found, int length) {
        if (found.isEmpty()) {
            return String.format("%" + length + "s", "–");
        }
        Comparison comparison = found.getFirst();
        String figure = (comparison.isTie() ? "= " : "") + Figures.ratio(comparison.ratio());
        String padded = String.format("%" + length + "s", figure);
        return comparison.isFaster() ? coloured(GREEN, padded) : comparison.isSlower() ? coloured(RED, padded) : padded;
    }

    private void wrap(String sentence) {
        int column = 0;
        for (String word : sentence.split(" ")) {
            if (column > 0 && column + 1 + word.length() > width) {
                out.append('\n');
                column = 0;
            }
            out.append(column == 0 ? "  " : " ").append(word);
            column += word.length() + (column == 0 ? 2 : 1);
        }
        out.append('\n');
    }

    private String coloured(String colour, String text) {
        return colours ? "\u001b[" + colour + "m" + text + "\u001b[0m" : text;
    }
}
