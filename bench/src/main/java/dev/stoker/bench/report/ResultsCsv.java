package dev.stoker.bench.report;

import dev.stoker.bench.sweep.SweepResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The results as a table for programs: the same names as in {@link ResultsJson}, one line for each format and setting. */
final class ResultsCsv {
    private static final List<String> COLUMNS = List.of(
            "format",
            "setting",
            "mmap",
            "fixed_length",
            "shuffle",
            "workers",
            "batch",
            "cold",
            "samples_per_s",
            "lowest",
            "highest",
            "bytes_per_s",
            "latency_us.p50",
            "latency_us.p90",
            "latency_us.p99",
            "latency_us.max",
            "cpu_us_per_sample",
            "memory_bytes",
            "buffer_bytes",
            "container_bytes",
            "pack_seconds",
            "failed");

    private ResultsCsv() {}

    static String of(SweepResult result) {
        var lines = new ArrayList<String>();
        lines.add(String.join(",", COLUMNS));
        result.measurements().forEach(each -> {
            Map<String, @Nullable Object> values = ResultsJson.of(result, each);
            lines.add(String.join(
                    ",", COLUMNS.stream().map(column -> cell(values, column)).toList()));
        });
        return String.join("\n", lines) + "\n";
    }

    private static String cell(Map<String, @Nullable Object> values, String column) {
        int dot = column.indexOf('.');
        Object value = dot < 0
                ? values.get(column)
                : values.get(column.substring(0, dot)) instanceof Map<?, ?> inner
                        ? inner.get(column.substring(dot + 1))
                        : null;
        String text = value == null ? "" : value.toString();
        boolean isPlain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return isPlain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
    }
}
