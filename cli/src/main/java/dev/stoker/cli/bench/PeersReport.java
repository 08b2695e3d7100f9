package dev.stoker.cli.bench;

import dev.stoker.bench.peer.Contest;
import dev.stoker.bench.peer.Job;
import dev.stoker.bench.peer.Standing;
import dev.stoker.cli.output.Human;
import dev.stoker.cli.output.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What `stoker bench peers` found: a table with bars for people, every turn for programs. */
final class PeersReport {
    private static final int BAR = 24;
    private static final String OURS = "stoker-loader";

    private PeersReport() {}

    static Report of(List<Standing.Table> tables, Contest.Settings settings, Path data) {
        var report = new Report()
                .put("data", data.toString())
                .put("batch", settings.batch())
                .put("workers", settings.workers())
                .put("rounds", settings.rounds())
                .put("turn_seconds", settings.turnSeconds())
                .put("jobs", tables.stream().map(PeersReport::values).toList());
        for (Standing.Table table : tables) {
            lines(report, table, settings);
        }
        return report;
    }

    private static void lines(Report report, Standing.Table table, Contest.Settings settings) {
        report.line("")
                .line(String.format(
                        Locale.ROOT,
                        "%s: %,d %s, shuffled, batches of %d, %d worker%s; medians of %d interleaved turns",
                        table.job() == Job.RAW ? "raw bytes into memory" : "photos decoded, cropped to 224, flipped",
                        table.samples(),
                        table.job() == Job.RAW
                                ? "samples of " + Human.bytes((double) table.bytes() / table.samples())
                                : "photos",
                        settings.batch(),
                        settings.workers(),
                        settings.workers() == 1 ? "" : "s",
                        settings.rounds()));
        Standing ours = table.of(OURS);
        double most =
                table.standings().isEmpty() ? 1 : table.standings().getFirst().samplesPerSecond();
        report.line(String.format(
                "  %-33s %-" + BAR + "s %9s  %-17s %9s  %8s  %s",
                "",
                "",
                "samples/s",
                "lowest - highest",
                "cpu us",
                ours == null ? "" : "Loader x",
                "setting"));
        for (Standing standing : table.standings()) {
            report.line(String.format(
                    Locale.ROOT,
                    "  %-33s %-" + BAR + "s %9s  %-17s %9.0f  %8s  %s",
                    standing.peer().title(),
                    "█".repeat((int) Math.max(1, Math.round(BAR * standing.samplesPerSecond() / most))),
                    Human.rate(standing.samplesPerSecond()),
                    Human.rate(standing.lowest()) + " - " + Human.rate(standing.highest()),
                    standing.cpuMicros(),
                    ours == null
                            ? ""
                            : String.format(Locale.ROOT, "%.2f", ours.samplesPerSecond() / standing.samplesPerSecond()),
                    standing.setting()));
        }
        for (Standing.Absence absence : table.absences()) {
            report.line(String.format("  %-33s skipped: %s", absence.peer().title(), absence.reason()));
        }
    }

    private static Map<String, Object> values(Standing.Table table) {
        var values = new LinkedHashMap<String, Object>();
        values.put("job", table.job().word());
        values.put("samples", table.samples());
        values.put("bytes", table.bytes());
        values.put(
                "contestants",
                table.standings().stream().map(PeersReport::values).toList());
        var absences = new ArrayList<Map<String, Object>>();
        for (Standing.Absence absence : table.absences()) {
            absences.add(Map.of("name", absence.peer().name(), "reason", absence.reason()));
        }
        values.put("left_out", absences);
        return values;
    }

    private static Map<String, Object> values(Standing standing) {
        var values = new LinkedHashMap<String, Object>();
        values.put("name", standing.peer().name());
        values.put("setting", standing.setting());
        values.put("samples_per_s", standing.samplesPerSecond());
        values.put("lowest", standing.lowest());
        values.put("highest", standing.highest());
        values.put("processor_us_per_sample", standing.cpuMicros());
        values.put("prepare_seconds", standing.prepareSeconds());
        values.put("versions", standing.versions());
        values.put("tried", standing.tried());
        values.put(
                "turns",
                standing.turns().stream()
                        .map(turn -> Map.of(
                                "epochs",
                                turn.epochs(),
                                "samples",
                                turn.samples(),
                                "seconds",
                                turn.seconds(),
                                "processor_seconds",
                                turn.cpuSeconds()))
                        .toList());
        return values;
    }
}
