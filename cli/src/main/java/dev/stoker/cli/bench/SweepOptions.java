package dev.stoker.cli.bench;

import dev.stoker.bench.report.Origin;
import dev.stoker.bench.report.Reports;
import dev.stoker.bench.sweep.SettingChoices;
import dev.stoker.bench.sweep.Sweep;
import dev.stoker.bench.sweep.SweepResult;
import dev.stoker.bench.sweep.Workload;
import dev.stoker.cli.Stoker;
import dev.stoker.cli.output.FormatChoices;
import dev.stoker.cli.output.ProgressBar;
import dev.stoker.cli.output.StopRequest;
import dev.stoker.concurrent.Progress;
import dev.stoker.format.Capability;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import dev.stoker.os.AvailableCores;
import dev.stoker.os.Terminal;
import dev.stoker.text.Printable;
import dev.stoker.text.Sizes;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** What {@code stoker bench} measures. A setting that is not given is compared, one that is given is kept. */
final class SweepOptions {
    private static final String ALL = "all";

    @Option(
            names = "--data-root",
            paramLabel = "DIR",
            description =
                    "Folder for containers and report; its storage is what you measure (default: ${DEFAULT-VALUE}).")
    private Path root = Path.of("stoker-bench");

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            split = ",",
            completionCandidates = FormatChoices.class,
            description = "Formats to compare, separated by commas: all, or ${COMPLETION-CANDIDATES} (default: all).")
    private List<String> formats = List.of(ALL);

    @Option(
            names = "--data",
            paramLabel = "FILE|DIR",
            description = "Your own container or folder of files (default: generated arrays).")
    private @Nullable Path data;

    @Option(
            names = "--num-samples",
            paramLabel = "N",
            description = "Samples to generate (default: " + Workload.SAMPLES
                    + "), or to take from --data, evenly spaced (default: all).")
    private @Nullable Long samples;

    @Option(
            names = "--sample-bytes",
            paramLabel = "SIZE",
            description =
                    "Average size of a generated array, such as 12k (default: " + Workload.SAMPLE_BYTES + " bytes).")
    private @Nullable String sampleBytes;

    @Option(
            names = "--use-mmap",
            negatable = true,
            description = "Read from mapped files, or with positional reads (default: compare both).")
    private @Nullable Boolean mmap;

    @Option(
            names = "--fixed-length",
            negatable = true,
            description = "Generate arrays of equal or of different lengths (default: compare both).")
    private @Nullable Boolean fixedLength;

    @Option(
            names = "--shuffle",
            negatable = true,
            description = "Read in shuffled or in stored order (default: compare both).")
    private @Nullable Boolean shuffle;

    @Option(
            names = "--cold",
            negatable = true,
            description = "Read from storage (files are evicted from the page cache before each pass), or from memory"
                    + " (default: compare both).")
    private @Nullable Boolean cold;

    @Option(
            names = "--num-workers",
            paramLabel = "N",
            split = ",",
            description = "Reader threads; the first value is the baseline (default: one per core, and a curve around"
                    + " that).")
    private List<Integer> workers = List.of();

    @Option(
            names = "--batch",
            paramLabel = "N",
            split = ",",
            description =
                    "Samples per batch; the first value is the baseline (default: 64, or as many as fit in 32 MiB).")
    private List<Integer> batch = List.of();

    @Option(
            names = "--repeat",
            paramLabel = "N",
            description = "Measured rounds; medians and spread are reported (default: ${DEFAULT-VALUE}).")
    private int repeats = 5;

    @Option(names = "--seed", paramLabel = "SEED", description = "Seed of data and orders (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--time-limit",
            paramLabel = "SECONDS",
            description = "Time limit for one pass; slower ones are listed as failed (default: ${DEFAULT-VALUE}).")
    private int limitSeconds = 120;

    @Option(names = "--keep", description = "Keep the containers in DIR/" + Sweep.CONTAINERS + ".")
    private boolean keep;

    @Option(names = "--json", description = "Print the contents of results.json.")
    private boolean json;

    int run(CommandSpec spec) {
        Sweep.Request request = request(spec);
        var origin = Origin.now(
                Stoker.number(), spec.root().commandLine().getParseResult().originalArgs());
        var progress = new Progress("passes");
        PrintWriter out = spec.commandLine().getOut();
        try (var stop = new StopRequest();
                var bar = ProgressBar.of(progress)) {
            SweepResult result = new Sweep(request, progress, stop::isMade).run();
            var reports = new Reports(result, origin);
            reports.write(root);
            bar.close();
            int columns = Terminal.now().map(Terminal::columns).orElse(0);
            out.print(json ? reports.json() : reports.table(columns));
            if (!json) {
                out.println(Printable.line("Report: " + root.resolve(Reports.PAGE)));
            }
            out.flush();
            return result.best().isPresent() ? 0 : 1;
        }
    }

    private Sweep.Request request(CommandSpec spec) {
        require(spec, repeats > 0, "--repeat should be at least 1");
        require(spec, limitSeconds > 0, "--time-limit should be at least 1");
        require(spec, samples == null || samples > 0, "--num-samples should be at least 1");
        require(spec, workers.stream().allMatch(each -> each > 0), "--num-workers should be at least 1");
        require(spec, batch.stream().allMatch(each -> each > 0), "--batch should be at least 1");
        require(
                spec,
                data == null || (fixedLength == null && sampleBytes == null),
                "--fixed-length and --sample-bytes apply to generated samples, not to --data");
        long count = samples != null ? samples : data == null ? Workload.SAMPLES : 0;
        int bytes = sampleBytes == null
                ? Workload.SAMPLE_BYTES
                : Math.toIntExact(Math.min(Integer.MAX_VALUE, Sizes.parse("--sample-bytes", sampleBytes)));
        var choices = new SettingChoices(
                values(mmap, true),
                values(fixedLength, false),
                values(shuffle, true),
                workers.isEmpty() ? SettingChoices.workerCurve(AvailableCores.allocated()) : workers,
                batch,
                values(cold, false));
        return new Sweep.Request(
                root,
                formats(),
                new Workload(data == null ? null : data.toAbsolutePath(), count, bytes, seed),
                choices,
                repeats,
                Duration.ofSeconds(limitSeconds),
                keep);
    }

    private static void require(CommandSpec spec, boolean isRight, String sentence) {
        if (!isRight) {
            throw new ParameterException(spec.commandLine(), sentence);
        }
    }

    /** What was given, or both with this first. */
    private static List<Boolean> values(@Nullable Boolean given, boolean base) {
        return given == null ? List.of(base, !base) : List.of(given);
    }

    private List<Format> formats() {
        return formats.contains(ALL)
                ? Formats.all().stream()
                        .filter(format -> format.can(Capability.WRITE))
                        .toList()
                : formats.stream().distinct().map(Formats::named).toList();
    }
}
