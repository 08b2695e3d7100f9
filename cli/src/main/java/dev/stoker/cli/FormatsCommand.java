package dev.stoker.cli;

import dev.stoker.format.Ability;
import dev.stoker.format.Criterion;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        description = {
            "Lists the formats, and what each can do.",
            "The first table asks what courses on training data ask of a format, for each one that Stoker writes."
        })
final class FormatsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON object, with the test that proves each answer.")
    private boolean json;

    @Override
    public Integer call() {
        var report = new Report();
        table(report);
        report.line("");
        abilities(report);
        report.put("formats", Formats.all().stream().map(FormatsCommand::json).toList());
        report.print(spec.commandLine().getOut(), json);
        return 0;
    }

    /** Criteria down, formats across. */
    private static void table(Report report) {
        List<Format> written =
                Formats.all().stream().filter(f -> f.can(Ability.WRITE)).toList();
        var head = new StringBuilder(String.format("%-22s", ""));
        written.forEach(format -> head.append(' ').append(format.name()));
        report.line(head.toString());
        for (Criterion criterion : Criterion.values()) {
            var line = new StringBuilder(String.format("%-22s", criterion.label()));
            for (Format format : written) {
                int width = format.name().length();
                line.append(String.format(" %-" + width + "s", criterion.isMetBy(format) ? "Y" : "N"));
            }
            report.line(line.toString().stripTrailing());
        }
        report.line("FL: samples of fixed length, VL: of variable length; docs/formats.md says how each is tested");
    }

    private static void abilities(Report report) {
        var head = new StringBuilder(String.format("%-10s %-22s", "format", "endings"));
        for (Ability ability : Ability.values()) {
            head.append(String.format(" %-15s", label(ability)));
        }
        report.line(head.toString().stripTrailing());
        for (Format format : Formats.all()) {
            var line =
                    new StringBuilder(String.format("%-10s %-22s", format.name(), String.join(" ", endings(format))));
            for (Ability ability : Ability.values()) {
                line.append(String.format(" %-15s", format.can(ability) ? "yes" : "-"));
            }
            report.line(line.toString().stripTrailing());
        }
        report.line("");
        for (Ability ability : Ability.values()) {
            report.line(String.format("%-16s %s", label(ability), ability.meaning()));
        }
    }

    private static Map<String, Object> json(Format format) {
        var abilities = new LinkedHashMap<String, Object>();
        for (Ability ability : Ability.values()) {
            abilities.put(label(ability).replace(' ', '_'), format.can(ability));
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

    private static List<String> endings(Format format) {
        return format.extensions().stream().map(e -> "." + e).toList();
    }

    private static String label(Ability ability) {
        return ability.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
