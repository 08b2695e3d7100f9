package dev.stoker.cli.pack;

import dev.stoker.cli.output.Human;
import dev.stoker.cli.output.Report;
import dev.stoker.format.Plan;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.listing.SourceFilter;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.write.Packer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What is told of a pack. */
final class PackReport {
    private PackReport() {}

    static Report planned(PackJob job, Samples samples, Plan plan) {
        return new Report()
                .put("samples", samples.count())
                .put("bytes", plan.length())
                .put("runs", plan.runs())
                .line("would write " + job.output() + ": " + Human.count(samples.count(), "sample") + ", "
                        + Human.bytes(plan.length()));
    }

    static Report packed(PackJob job, Samples samples, Packer.Result result, long startNanos) {
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        var report = new Report()
                .put("samples", result.samples())
                .put("bytes", result.bytes())
                .put("seconds", seconds)
                .put("runs", result.runs())
                .put("resumed_runs", result.resumedRuns())
                .put("classes", samples.schema().classes().size())
                .line(job.output() + ": " + Human.count(result.samples(), "sample") + classes(samples) + ", "
                        + Human.bytes(result.bytes())
                        + " in "
                        + Human.seconds(seconds) + " (" + Human.bytes(result.bytes() / seconds) + "/s)"
                        + thereBefore(result));
        if (!result.striping().isEmpty()) {
            report.put("striping", result.striping()).line(result.striping());
        }
        return report;
    }

    private static String thereBefore(Packer.Result result) {
        if (result.resumedRuns() == 0) {
            return "";
        }
        return result.resumedRuns() == result.runs()
                ? "; everything was already written"
                : "; " + result.resumedRuns() + " of " + result.runs() + " runs were already written";
    }

    private static String classes(Samples samples) {
        int classes = samples.schema().classes().size();
        return classes > 1 ? " of " + Human.count(classes) + " classes" : "";
    }

    static void addSkipped(Report report, List<BadFilePolicy.BadFile> skipped) {
        if (skipped.isEmpty()) {
            return;
        }
        var listed = new ArrayList<Map<String, Object>>();
        for (BadFilePolicy.BadFile one : skipped) {
            listed.add(Map.of("path", one.path(), "reason", one.reason()));
            report.line("left out: " + one.path() + ": " + one.reason());
        }
        report.put("skipped", listed);
    }

    /** What of a source was left out, and what of its samples is unlike the others. */
    static void addSource(Report report, SourceFilter filter, Samples samples) {
        if (!filter.leftOut().isEmpty()) {
            report.line("left out: " + filter.leftOut().describe());
        }
        report.put("left_out", filter.leftOut().counts());
        List<String> classes = filter.leftOut().hiddenClasses();
        if (!classes.isEmpty() && samples.schema().find(Field.LABEL) >= 0) {
            report.line("hidden folders aren't classes; torchvision's ImageFolder would number "
                    + String.join(", ", classes) + " as well, so its labels would differ");
        }
        report.put("hidden_classes", classes);
        filter.notes().forEach(report::line);
        report.put("notes", filter.notes());
        filter.oddFiles().describe().forEach(report::line);
        report.put("odd_files", filter.oddFiles().counts());
    }

    /** The end of a message that there is nothing. */
    static String leftOut(SourceFilter filter) {
        return filter.leftOut().isEmpty()
                ? ""
                : "; left out: " + filter.leftOut().describe();
    }

    /** The usual mistake: a folder too high, so that its splits are taken for classes. */
    static void hintAtOneClass(Report report, Samples samples) {
        if (samples.schema().classes().size() == 1 && samples.schema().find(Field.LABEL) >= 0) {
            String only = samples.schema().classes().getFirst();
            report.line("all samples are in class '" + only + "'; if it is really a split, pack SRC/" + only
                    + " or use --split " + only + "=SRC/" + only);
        }
    }
}
