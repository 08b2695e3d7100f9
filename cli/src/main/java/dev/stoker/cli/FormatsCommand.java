package dev.stoker.cli;

import dev.stoker.format.Ability;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(description = "Lists the formats and what each can do.")
final class FormatsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        var report = new Report();
        var all = new ArrayList<Map<String, Object>>();
        var head = new StringBuilder(String.format("%-10s %-22s", "format", "endings"));
        for (Ability ability : Ability.values()) {
            head.append(String.format(" %-14s", label(ability)));
        }
        report.line(head.toString().stripTrailing());
        for (Format format : Formats.all()) {
            var line =
                    new StringBuilder(String.format("%-10s %-22s", format.name(), String.join(" ", endings(format))));
            var abilities = new LinkedHashMap<String, Object>();
            for (Ability ability : Ability.values()) {
                line.append(String.format(" %-14s", format.can(ability) ? "yes" : "-"));
                abilities.put(label(ability).replace(' ', '_'), format.can(ability));
            }
            report.line(line.toString().stripTrailing());
            var one = new LinkedHashMap<String, Object>();
            one.put("name", format.name());
            one.put("endings", format.extensions());
            one.put("settings", format.settings().stream().sorted().toList());
            one.put("abilities", abilities);
            all.add(one);
        }
        report.line("");
        for (Ability ability : Ability.values()) {
            report.line(String.format("%-15s %s", label(ability), ability.meaning()));
        }
        report.put("formats", all);
        report.print(spec.commandLine().getOut(), json);
        return 0;
    }

    private static java.util.List<String> endings(Format format) {
        return format.extensions().stream().map(e -> "." + e).toList();
    }

    private static String label(Ability ability) {
        return ability.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
