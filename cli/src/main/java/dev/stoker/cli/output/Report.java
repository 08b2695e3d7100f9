package dev.stoker.cli.output;

import dev.stoker.json.Json;
import dev.stoker.text.Printable;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a command found, as name and value: printed as lines for people, or as one JSON object for programs. */
public final class Report {
    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
    private final StringBuilder lines = new StringBuilder();

    /** A value for programs. */
    public Report put(String name, @Nullable Object value) {
        values.put(name, value);
        return this;
    }

    /** A line for people. */
    public Report line(String line) {
        lines.append(Printable.line(line)).append(System.lineSeparator());
        return this;
    }

    /** A name and what it is, for people. */
    public Report line(String name, String value) {
        return line(String.format("  %-12s %s", name, value));
    }

    public Map<String, @Nullable Object> values() {
        return values;
    }

    public void print(PrintWriter out, boolean json) {
        out.print(json ? json(values) : lines);
        out.flush();
    }

    /** The values of several reports, for programs. */
    static void printList(List<Map<String, @Nullable Object>> reports, PrintWriter out) {
        out.print(json(reports));
        out.flush();
    }

    private static String json(Object values) {
        return Printable.json(Json.writePretty(values)) + System.lineSeparator();
    }
}
