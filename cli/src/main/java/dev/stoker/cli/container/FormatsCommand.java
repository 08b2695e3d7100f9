package dev.stoker.cli.container;

import dev.stoker.cli.output.FormatChoices;
import dev.stoker.cli.output.Report;
import dev.stoker.format.Capability;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description = {
            "List the formats and their capabilities.",
            "The table compares formats by the criteria of courses on training data. With NAME, show one format in detail."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker formats",
            "  stoker formats hdf5     its extensions, pack options and capabilities",
            "  stoker formats --json   including the test that proves each answer"
        })
public final class FormatsCommand implements Callable<Integer> {
    private static final int HEAD_LINES = 3;
    private static final int HEAD_WIDTH = 9;

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "NAME",
            arity = "0..1",
            completionCandidates = FormatChoices.class,
            description = "Show only this format, in detail: ${COMPLETION-CANDIDATES}.")
    private @Nullable String name;

    @Option(names = "--json", description = "Print one JSON object, including the test that proves each answer.")
    private boolean json;

    @Override
    public Integer call() {
        var report = new Report();
        List<Format> asked = name == null ? Formats.all() : List.of(Formats.named(name));
        if (name == null) {
            table(report, asked);
        } else {
            details(report, asked.getFirst());
        }
        report.put("formats", asked.stream().map(FormatsCommand::json).toList());
        report.print(spec.commandLine().getOut(), json);
        return 0;
    }

    /** A line for each format. */
    private static void table(Report report, List<Format> formats) {
        List<List<String>> headings =
                Arrays.stream(Criterion.values()).map(c -> wrapped(c.label())).toList();
        for (int row = 0; row < HEAD_LINES; row++) {
            var line = new StringBuilder(String.format("%-10s", row == HEAD_LINES - 1 ? "format" : ""));
            for (List<String> heading : headings) {
                line.append(' ').append(heading.get(row));
            }
            report.line((line + (row == HEAD_LINES - 1 ? " extensions" : "")).stripTrailing());
        }
        for (Format format : formats) {
            var line = new StringBuilder(String.format("%-10s", format.name()));
            for (Criterion criterion : Criterion.values()) {
                int width = headings.get(criterion.ordinal()).getFirst().length();
                line.append(String.format(" %-" + width + "s", criterion.isMetBy(format) ? "Y" : "N"));
            }
            report.line((line + " " + endings(format)).stripTrailing());
        }
        report.line("FL: fixed-length samples, VL: variable-length samples. For details: stoker formats NAME");
    }

    /** A heading in lines of one length, the last one at the bottom, so that the table is no wider than a terminal. */
    private static List<String> wrapped(String label) {
        var lines = new ArrayList<String>();
        for (String word : label.split(" ")) {
            if (lines.isEmpty() || lines.getLast().length() + 1 + word.length() > HEAD_WIDTH) {
                lines.add(word);
            } else {
                lines.add(lines.removeLast() + " " + word);
            }
        }
        int width = lines.stream().mapToInt(String::length).max().orElse(0);
        while (lines.size() < HEAD_LINES) {
            lines.addFirst("");
        }
        return lines.stream()
                .map(line -> String.format("%-" + width + "s", line))
                .toList();
    }

    private static void details(Report report, Format format) {
        report.line(format.name() + (format.extensions().isEmpty() ? "" : " (" + endings(format) + ")"));
        for (String setting : format.settings().stream().sorted().toList()) {
            report.line("  stoker pack … --" + setting);
        }
        report.line("");
        for (Capability ability : Capability.values()) {
            report.line(String.format("  %-4s %s", format.can(ability) ? "yes" : "no", ability.meaning()));
        }
        report.line("");
        for (Criterion criterion : Criterion.values()) {
            report.line(String.format(
                    "  %-4s %-22s tested by %s",
                    criterion.isMetBy(format) ? "Y" : "N", criterion.label(), criterion.test()));
        }
    }

    private static Map<String, Object> json(Format format) {
        var abilities = new LinkedHashMap<String, Object>();
        for (Capability ability : Capability.values()) {
            abilities.put(ability.name().toLowerCase(Locale.ROOT), format.can(ability));
        }
        var table = new LinkedHashMap<String, Object>();
        for (Criterion criterion : Criterion.values()) {
            var answer = new LinkedHashMap<String, Object>();
            answer.put("answer", criterion.isMetBy(format));
            answer.put("test", criterion.test());
            table.put(criterion.name().toLowerCase(Locale.ROOT), answer);
        }
        var one = new LinkedHashMap<String, Object>();
        one.put("name", format.name());
        one.put("endings", new ArrayList<>(format.extensions()));
        one.put("settings", format.settings().stream().sorted().toList());
        one.put("abilities", abilities);
        one.put("table", table);
        return one;
    }

    private static String endings(Format format) {
        return String.join(" ", format.extensions().stream().map(e -> "." + e).toList());
    }
}
