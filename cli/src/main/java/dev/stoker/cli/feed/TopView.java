package dev.stoker.cli.feed;

import dev.stoker.cli.output.Human;
import dev.stoker.metric.Bottleneck;
import dev.stoker.metric.MeterSnapshot;
import dev.stoker.metric.Metric;
import dev.stoker.metric.MetricSource;
import dev.stoker.text.Printable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Draws what {@code stoker top} shows as lines of some width. */
final class TopView {
    private static final String BARS = "▁▂▃▄▅▆▇█";
    private static final int LEAST_WIDTH = 30;
    private static final int LEAST_TREND = 8;
    private static final int MOST_TREND = 60;
    private static final double MUCH = 0.2;
    private static final double LITTLE = 0.05;

    private static final String BOLD = "1";
    private static final String RED = "31";
    private static final String GREEN = "32";
    private static final String YELLOW = "33";
    private static final String CYAN = "36";

    /**
     * A column of the table of feeds.
     *
     * @param order the one with the largest is left out first where there is too little room
     * @param width 0 for what takes the room that is left
     */
    private record Column(
            String title, int width, int order, boolean isText, Function<TopProcess.Feed, String> value) {}

    private static final List<Column> COLUMNS = List.of(
            new Column("rank", 4, 0, false, feed -> feed.total().label("rank")),
            new Column("data", 12, 5, true, feed -> feed.total().label("data")),
            new Column("samples/s", 9, 0, false, feed -> Human.rate(feed.perSecond(Metric.FEED_SAMPLES))),
            new Column("bytes/s", 8, 4, false, feed -> Human.bytes(feed.perSecond(Metric.FEED_BYTES))),
            new Column("trend", 0, 6, true, feed -> ""),
            new Column("read", 5, 2, false, feed -> percent(feed.threadShare(Metric.FEED_READ))),
            new Column("decode", 6, 3, false, feed -> percent(feed.threadShare(Metric.FEED_DECODE))),
            new Column("idle", 5, 1, false, feed -> percent(feed.threadShare(Metric.FEED_IDLE))),
            new Column("waits", 5, 0, false, feed -> percent(feed.waitShare())));

    private final int width;
    private final boolean isColoured;

    TopView(int width, boolean isColoured) {
        this.width = Math.max(LEAST_WIDTH, width);
        this.isColoured = isColoured;
    }

    /** Everything, line by line. */
    List<String> draw(String host, String clock, Collection<TopProcess> processes) {
        var lines = new ArrayList<String>();
        String left = "stoker top  " + host;
        lines.add(colour(BOLD, spread(left, clock)));
        if (processes.isEmpty()) {
            lines.add("");
            lines.addAll(wrap("You have no feed, loader, pack or run on this node.", 0));
        }
        for (TopProcess process : processes) {
            lines.add("");
            addProcess(lines, process);
        }
        return lines;
    }

    private void addProcess(List<String> lines, TopProcess process) {
        String name = switch (process.latest().command()) {
            case "serve" -> "loader";
            case String command -> command;
        };
        String busy = String.format(Locale.ROOT, "%.1f of %.0f cores", process.coresBusy(), process.cores());
        lines.add(colour(BOLD, spread(name + "  pid " + process.latest().pid(), busy)));
        process.latest().of(MetricSource.PACK).forEach(each -> lines.add(cut(pack(each, process))));
        process.latest().of(MetricSource.RUN).forEach(each -> lines.add(cut(run(each))));
        List<TopProcess.Feed> feeds = process.feeds();
        if (!feeds.isEmpty()) {
            addFeeds(lines, feeds);
            Bottleneck bottleneck = process.bottleneck();
            lines.addAll(wrap("→ " + bottleneck.sentence(), 2));
        } else if (process.latest().command().equals("serve")) {
            lines.add(cut("  no active loader"));
        }
    }

    private static String pack(MeterSnapshot pack, TopProcess process) {
        double planned = pack.get(Metric.PACK_PLANNED);
        String share = planned > 0 ? "  " + percent(pack.get(Metric.PACK_SAMPLES) / planned) : "";
        return "  " + Printable.line(pack.label("data")) + "  " + pack.note() + share + "  "
                + Human.count(Math.round(pack.get(Metric.PACK_SAMPLES))) + " samples  "
                + Human.bytes(process.bytesPerSecond(pack)) + "/s";
    }

    private static String run(MeterSnapshot run) {
        return "  " + Printable.line(run.note()) + "  staged in " + Human.seconds(run.get(Metric.RUN_STAGE))
                + ", running for " + Human.seconds(run.get(Metric.RUN_COMMAND));
    }

    private void addFeeds(List<String> lines, List<TopProcess.Feed> feeds) {
        List<Column> columns = fitting();
        int trend = trendWidth(columns);
        lines.add(
                columns.stream().map(column -> pad(column, column.title, trend)).collect(Collectors.joining(" ")));
        feeds.stream()
                .sorted(Comparator.comparing(feed -> order(feed.total())))
                .forEach(feed -> lines.add(columns.stream()
                        .map(column -> cell(column, feed, trend))
                        .collect(Collectors.joining(" "))));
    }

    /** Ranks by number, not as text. */
    private static String order(MeterSnapshot feed) {
        return "%10s".formatted(feed.label("rank")) + feed.label("data");
    }

    private List<Column> fitting() {
        var columns = new ArrayList<>(COLUMNS);
        while (fixedWidth(columns) > width) {
            columns.remove(
                    columns.stream().max(Comparator.comparingInt(Column::order)).orElseThrow());
        }
        return columns;
    }

    private static int fixedWidth(List<Column> columns) {
        return columns.stream()
                        .mapToInt(column -> column.width == 0 ? LEAST_TREND : column.width)
                        .sum()
                + columns.size()
                - 1;
    }

    private int trendWidth(List<Column> columns) {
        return Math.min(MOST_TREND, LEAST_TREND + width - fixedWidth(columns));
    }

    private String cell(Column column, TopProcess.Feed feed, int trend) {
        if (column.width == 0) {
            return colour(CYAN, pad(column, sparkline(feed.trend(), trend), trend));
        }
        String text = pad(column, Printable.line(column.value.apply(feed)), trend);
        if (!column.title.equals("waits")) {
            return text;
        }
        double share = feed.waitShare();
        return colour(share > MUCH ? RED : share > LITTLE ? YELLOW : GREEN, text);
    }

    private static String pad(Column column, String text, int trend) {
        int width = column.width == 0 ? trend : column.width;
        String clean = shorten(text, width);
        int missing = width - clean.codePointCount(0, clean.length());
        String blanks = " ".repeat(Math.max(0, missing));
        return column.isText ? clean + blanks : blanks + clean;
    }

    /** The last values, each as the height of a letter; the largest is the highest. */
    static String sparkline(List<Double> values, int width) {
        List<Double> last = values.subList(Math.max(0, values.size() - width), values.size());
        double most = last.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        var line = new StringBuilder();
        for (double value : last) {
            int height = most > 0 ? (int) Math.round(value / most * (BARS.length() - 1)) : 0;
            line.append(BARS.charAt(height));
        }
        return line.toString();
    }

    /** One text at the left, one at the right. */
    private String spread(String left, String right) {
        String clean = shorten(left, Math.max(1, width - right.length() - 1));
        return clean + " ".repeat(Math.max(1, width - clean.length() - right.length())) + right;
    }

    private String cut(String line) {
        return shorten(line, width);
    }

    /** Without what a terminal would obey, and not longer than there is room. */
    static String shorten(String text, int width) {
        String clean = text.codePoints()
                .map(c -> Character.isISOControl(c) ? '?' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return clean.codePointCount(0, clean.length()) <= width
                ? clean
                : clean.substring(0, clean.offsetByCodePoints(0, width - 1)) + "…";
    }

    private List<String> wrap(String text, int indent) {
        var lines = new ArrayList<String>();
        var line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (line.length() > indent && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line = new StringBuilder(" ".repeat(indent));
            }
            line.append(line.length() > (lines.isEmpty() ? 0 : indent) ? " " : "")
                    .append(word);
        }
        lines.add(line.toString());
        return lines;
    }

    private String colour(String code, String text) {
        return isColoured ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f%%", 100 * share);
    }
}
