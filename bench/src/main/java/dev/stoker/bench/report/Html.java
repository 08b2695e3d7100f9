package dev.stoker.bench.report;

import java.util.Locale;

/** Pieces of a page. What comes from outside goes through {@link #text}. */
final class Html {
    private Html() {}

    /** Text as it stands in a page, also inside of an attribute's quotes. */
    static String text(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** A part of a whole as a style sheet has it. */
    static String percent(double part) {
        return String.format(Locale.ROOT, "%.2f%%", 100 * Math.clamp(part, 0.0, 1.0));
    }

    /** A part of the page with a heading and a sentence that says how to read it. */
    static String section(String id, String heading, String how, String content) {
        return "<section id=\"" + id + "\"><h2>" + text(heading) + "</h2><p class=\"how\">" + text(how) + "</p>"
                + content + "</section>\n";
    }
}
