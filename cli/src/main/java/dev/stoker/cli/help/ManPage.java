package dev.stoker.cli.help;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A command as a man page. */
final class ManPage {
    private final StringBuilder page = new StringBuilder();

    private ManPage() {}

    /** The file that it belongs into, such as {@code stoker-bench-read.1}. */
    static String fileName(CommandModel command) {
        return name(command) + ".1";
    }

    private static String name(CommandModel command) {
        return command.path().replace(' ', '-');
    }

    static String of(CommandModel command, String version) {
        var page = new ManPage();
        String name = name(command);
        page.macro("TH " + quoted(name.toUpperCase(java.util.Locale.ROOT)) + " 1 \"\" " + quoted("Stoker " + version)
                + " \"Stoker Manual\"");
        page.macro("SH NAME");
        page.text(name + " \\- " + escaped(command.summary()));
        page.macro("SH SYNOPSIS");
        page.text(escaped(command.synopsis()));
        page.macro("SH DESCRIPTION");
        page.description(command.description());
        page.arguments(command.arguments());
        page.options(command.options());
        page.commands(command.commands());
        page.examples(command.examples());
        page.macro("SH EXIT STATUS");
        page.text("0 for success, 1 for a failure, 2 for a usage error.");
        page.macro("SH SEE ALSO");
        page.text("\\fBstoker\\fR(1), " + escaped("`stoker help COMMAND`"));
        return page.page.toString();
    }

    private void description(List<String> paragraphs) {
        for (String each : paragraphs) {
            if (each.isEmpty()) {
                macro("PP");
            } else {
                text(escaped(each));
            }
        }
    }

    private void arguments(Map<String, String> arguments) {
        if (!arguments.isEmpty()) {
            macro("SH ARGUMENTS");
            arguments.forEach((name, description) -> entry("\\fI" + escaped(name) + "\\fR", description));
        }
    }

    private void options(List<OptionModel> options) {
        macro("SH OPTIONS");
        OptionGroup last = OptionGroup.MAIN;
        for (OptionModel option : options) {
            if (option.group() != last) {
                last = option.group();
                macro("SS " + quoted(last.title()));
            }
            var names = new ArrayList<String>();
            option.names().forEach(name -> names.add("\\fB" + escaped(name) + "\\fR"));
            entry(
                    String.join(", ", names) + (option.takesValue() ? "=\\fI" + escaped(option.label()) + "\\fR" : ""),
                    option.description());
        }
    }

    private void commands(List<CommandModel> commands) {
        if (!commands.isEmpty()) {
            macro("SH COMMANDS");
            commands.forEach(each -> entry("\\fB" + escaped(name(each)) + "\\fR(1)", each.summary()));
        }
    }

    private void examples(List<Example> examples) {
        if (examples.isEmpty()) {
            return;
        }
        macro("SH EXAMPLES");
        for (Example each : examples) {
            if (each.isProse()) {
                macro("PP");
                text(escaped(each.note()));
            } else {
                entry("\\fB" + escaped(each.command()) + "\\fR", each.note());
            }
        }
    }

    private void entry(String term, String description) {
        macro("TP");
        text(term);
        text(description.isEmpty() ? "\\&" : escaped(description));
    }

    private void macro(String macro) {
        page.append('.').append(macro).append('\n');
    }

    private void text(String text) {
        if (!text.isEmpty()) {
            page.append(text.startsWith(".") || text.startsWith("'") ? "\\&" : "")
                    .append(text)
                    .append('\n');
        }
    }

    private static String quoted(String text) {
        return "\"" + text + "\"";
    }

    /** A minus that can be copied, no other meaning of a backslash, and letters that every groff takes. */
    private static String escaped(String text) {
        var escaped = new StringBuilder();
        text.codePoints().forEach(letter -> {
            switch (letter) {
                case '\\' -> escaped.append("\\e");
                case '-' -> escaped.append("\\-");
                default -> escaped.append(letter < 128 ? Character.toString(letter) : "\\[u%04X]".formatted(letter));
            }
        });
        return escaped.toString();
    }
}
