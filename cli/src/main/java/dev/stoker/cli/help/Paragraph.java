package dev.stoker.cli.help;

import java.util.ArrayList;
import java.util.List;

/** Text broken into lines. */
final class Paragraph {
    private Paragraph() {}

    /** A text as picocli shows it: the percent signs and line breaks of those that still have them as in a format. */
    static String plain(String text) {
        return text.contains("%%") || text.contains("%n") ? String.format(text) : text;
    }

    /** The first sentence, without its period. */
    static String firstSentence(String text) {
        int end = text.indexOf(". ");
        String first = end < 0 ? text : text.substring(0, end);
        return first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
    }

    /** Lines of at most {@code width} characters where words allow it; all but the first are indented. */
    static List<String> wrap(String text, int width, int indent) {
        var lines = new ArrayList<String>();
        var line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (!line.toString().isBlank() && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line = new StringBuilder(" ".repeat(indent)).append(word);
            } else {
                line.append(line.isEmpty() ? "" : " ").append(word);
            }
        }
        lines.add(line.toString());
        return lines;
    }
}
