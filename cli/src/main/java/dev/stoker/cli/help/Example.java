package dev.stoker.cli.help;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;

/**
 * One line of the examples below the help of a command.
 *
 * @param command what to type; empty for a line of prose
 * @param note what it does, or the prose
 */
record Example(String command, String note) {
    /** A command is indented, and two or more spaces are before its note. */
    private static final Pattern LINE = Pattern.compile("  (\\S.*?)(?: {2,}(\\S.*))?");

    /** How far a note is indented that stands below its command. */
    private static final int NOTE = 6;

    /** The examples of a command, as its annotation lists them. */
    static List<Example> of(CommandSpec spec) {
        var all = new ArrayList<Example>();
        for (String line : spec.usageMessage().footer()) {
            all.add(parse(Paragraph.plain(line)));
        }
        return all;
    }

    private static Example parse(String line) {
        Matcher matcher = LINE.matcher(line);
        return matcher.matches()
                ? new Example(matcher.group(1), matcher.group(2) == null ? "" : matcher.group(2))
                : new Example("", line);
    }

    boolean isProse() {
        return command.isEmpty();
    }

    /** Examples in columns. A command is never broken, so that it can be copied: a note that has no room goes below it. */
    static List<String> lines(List<Example> examples, int width) {
        int column = examples.stream()
                .filter(each -> !each.note.isEmpty() && each.command.length() + each.note.length() + 4 <= width)
                .mapToInt(each -> each.command.length())
                .max()
                .orElse(0);
        var lines = new ArrayList<String>();
        for (Example each : examples) {
            if (each.isProse()) {
                lines.addAll(Paragraph.wrap(each.note, width, 0));
            } else if (each.note.isEmpty()) {
                lines.add("  " + each.command);
            } else if (each.command.length() <= column && 2 + column + 2 + each.note.length() <= width) {
                lines.add("  " + each.command + " ".repeat(column - each.command.length() + 2) + each.note);
            } else {
                lines.add("  " + each.command);
                Paragraph.wrap(each.note, width - NOTE, 0).forEach(line -> lines.add(" ".repeat(NOTE) + line));
            }
        }
        return lines;
    }
}
