package dev.stoker.cli.bench;

import dev.stoker.bench.Figures;
import dev.stoker.bench.advise.Advice;
import dev.stoker.bench.advise.AdviceReport;
import dev.stoker.bench.advise.DataSurvey;
import dev.stoker.bench.advise.NodeFacts;
import dev.stoker.bench.advise.StorageTrial;
import dev.stoker.cli.output.Human;
import dev.stoker.cli.output.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A survey for people: what was seen, what was measured, what to do and why, and the commands. */
final class AdviseText {
    private static final int WIDTH = 110;
    private static final int INDENT = 15;

    private final Path data;
    private final AdviceReport survey;

    AdviseText(Path data, AdviceReport survey) {
        this.data = data;
        this.survey = survey;
    }

    void addTo(Report report) {
        seen(report, survey.seen());
        measured(report, survey.measured());
        node(report, survey.node());
        report.line("").line("Recommendations");
        survey.advice().points().forEach(point -> point(report, point));
        if (!survey.advice().options().isEmpty()) {
            report.line("").line("Depending on your training");
            survey.advice().options().forEach(point -> point(report, point));
        }
        report.line("").line("Commands");
        for (Advice.Command command : survey.advice().commands()) {
            report.line(command.purpose(), command.line());
        }
    }

    private void seen(Report report, DataSurvey seen) {
        DataSurvey.ContainerFacts container = seen.container();
        String many = (seen.isAll() ? "" : "more than ") + Human.count(seen.samples());
        report.line(data + ": " + many
                + (container == null
                        ? " files in " + Human.count(seen.folders()) + (seen.folders() == 1 ? " folder" : " folders")
                        : " samples, format " + container.format())
                + ", " + (seen.sampled() < seen.samples() ? "about " : "") + Human.bytes(seen.bytes()));
        report.line(
                "sizes",
                "smallest " + Human.bytes(seen.sizes().smallest()) + ", median "
                        + Human.bytes(seen.sizes().median()) + ", 99% "
                        + Human.bytes(seen.sizes().p99()) + ", largest "
                        + Human.bytes(seen.sizes().largest()));
        if (container == null) {
            report.line("kinds", kinds(seen) + " (of " + Human.count(seen.sampled()) + " sampled)");
        } else {
            report.line("fields", String.join(", ", container.fields()));
            report.line(
                    "Index",
                    (container.hasIndex() ? "exists" : "missing")
                            + (container.blocks() > 0
                                    ? "; samples are in " + Human.count(container.blocks()) + " compressed blocks"
                                    : ""));
        }
    }

    private static String kinds(DataSurvey seen) {
        List<String> all = seen.kinds().entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .map(entry -> String.format(
                        Locale.ROOT, "%s %.0f%%", entry.getKey().label(), 100.0 * entry.getValue() / seen.sampled()))
                .toList();
        return String.join(", ", all) + (seen.arrayType() == null ? "" : ", all " + seen.arrayType());
    }

    private static void measured(Report report, StorageTrial measured) {
        StorageTrial.Metadata metadata = measured.metadata();
        if (metadata != null) {
            report.line(
                    "opening",
                    String.format(
                            Locale.ROOT,
                            "%s (99%%: %s), %s/s sequential%s",
                            Figures.micros(metadata.medianMicros()),
                            Figures.micros(metadata.p99Micros()),
                            Figures.rate(metadata.one()),
                            metadata.many() > 0
                                    ? ", " + Figures.rate(metadata.many()) + "/s with " + StorageTrial.MANY
                                            + " in parallel"
                                    : ""));
        }
        StorageTrial.Reads reads = measured.reads();
        if (reads != null) {
            report.line(
                    "reading",
                    String.format(
                            Locale.ROOT,
                            "%s/s sequential, %s/s with %d in parallel (%s/s), repeated: %s/s%s; %s",
                            Figures.rate(reads.one().reads()),
                            Figures.rate(reads.many().reads()),
                            StorageTrial.MANY,
                            Human.bytes(reads.many().bytes()),
                            Figures.rate(reads.again().reads()),
                            reads.sequential() > 0 ? ", streaming " + Human.bytes(reads.sequential()) + "/s" : "",
                            reads.isCold() ? "first read from storage" : "first read possibly cached"));
        }
        StorageTrial.Packed packed = measured.packed();
        if (packed != null) {
            report.line(
                    "packed",
                    Figures.rate(packed.samples()) + " samples/s from memory (trial with " + Human.count(packed.tried())
                            + " samples), as loose files " + Figures.rate(packed.loose()));
        }
        for (String note : measured.notes()) {
            wrapped(report, "note", note);
        }
    }

    private static void node(Report report, NodeFacts node) {
        NodeFacts.LocalDisk local = node.local();
        report.line(
                "node",
                node.cores() + (node.cores() == 1 ? " core, " : " cores, ") + Human.bytes(node.memoryBytes())
                        + " for data in memory, "
                        + (local == null
                                ? "no local disk"
                                : Human.bytes(local.freeBytes()) + " free on " + local.path() + " ("
                                        + local.filesystem() + ")")
                        + "; data on " + node.dataFilesystem()
                        + (node.mountRefusal() == null ? "; FUSE" : "; no FUSE"));
    }

    private static void point(Report report, Advice.Point point) {
        wrapped(report, point.topic(), point.choice() + ": " + point.reason());
    }

    /** In lines of moderate length, below each other. */
    private static void wrapped(Report report, String name, String text) {
        var lines = new ArrayList<String>();
        var line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (!line.isEmpty() && INDENT + line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        report.line(name, lines.getFirst());
        lines.subList(1, lines.size()).forEach(more -> report.line("", more));
    }
}
