package dev.stoker.cli;

import dev.stoker.bench.report.Reports;
import dev.stoker.bench.sweep.SettingChoices;
import dev.stoker.bench.sweep.Sweep;
import dev.stoker.bench.sweep.SweepResult;
import dev.stoker.bench.sweep.Workload;
import dev.stoker.format.Ability;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import dev.stoker.memory.Cores;
import dev.stoker.memory.Terminal;
import dev.stoker.pack.Progress;
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
                    "Where containers and report go; its storage is what is measured (default: ${DEFAULT-VALUE}).")
    private Path root = Path.of("stoker-bench");

    @Option(
            names = "--format",
            paramLabel = "F,…",
            split = ",",
            description = "Formats, folder among them, or all (default: ${DEFAULT-VALUE}).")
    private List<String> formats = List.of(ALL);

    @Option(
            names = "--data",
            paramLabel = "FILE|DIR",
            description = "Your own container or folder of files; by default arrays are generated.")
    private @Nullable Path data;

    @Option(
            names = "--num-samples",
            paramLabel = "N",
            description = "How many are generated (default: " + Workload.SAMPLES
                    + "); with --data, how many of yours, taken evenly (default: all).")
    private @Nullable Long samples;

    @Option(
            names = "--sample-bytes",
            paramLabel = "B",
            description = "Bytes of a generated array on average, as 12k (default: " + Workload.SAMPLE_BYTES + ").")
    private @Nullable String sampleBytes;

    @Option(
            names = "--use-mmap",
            negatable = true,
            description = "Copy from mapped files, or read by positional reads; neither given: compare both.")
    private @Nullable Boolean mmap;

    @Option(
            names = "--fixed-length",
            negatable = true,
            description = "Generated arrays of one length, or of many; neither given: compare both.")
    private @Nullable Boolean fixedLength;

    @Option(
            names = "--shuffle",
            negatable = true,
            description = "In shuffled order, or as stored; neither given: compare both.")
    private @Nullable Boolean shuffle;

    @Option(
            names = "--cold",
            negatable = true,
            description = "From storage (files are dropped from memory before each pass), or from memory; neither"
                    + " given: compare both.")
    private @Nullable Boolean cold;

    @Option(
            names = "--num-workers",
            paramLabel = "W,…",
            split = ",",
            description = "Reading threads; of several the first is the base (default: your cores, and a curve around"
                    + " them).")
    private List<Integer> workers = List.of();

    @Option(
            names = "--batch",
            paramLabel = "B,…",
            split = ",",
            description = "Samples in a batch; of several the first is the base (default: 64, or what fits 32 MiB).")
    private List<Integer> batch = List.of();

    @Option(
            names = "--repeat",
            paramLabel = "R",
            description = "Rounds that count (default: ${DEFAULT-VALUE}); medians and the spread are shown.")
    private int repeats = 5;

    @Option(names = "--seed", paramLabel = "S", description = "Of data and orders (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--time-limit",
            paramLabel = "SECONDS",
            description = "For one pass; what takes longer is listed as failed (default: ${DEFAULT-VALUE}).")
    private int limitSeconds = 120;

    @Option(names = "--keep", description = "Keep the containers, in DIR/" + Sweep.CONTAINERS + ".")
    private boolean keep;

    @Option(names = "--json", description = "Print what is in results.json.")
    private boolean json;

    int run(CommandSpec spec) {
        Sweep.Request request = request(spec);
        var progress = new Progress("passes");
        PrintWriter out = spec.commandLine().getOut();
        try (var stop = new StopRequest();
                var _ = ProgressBar.of(progress)) {
            SweepResult result = new Sweep(request, progress, stop::isMade).run();
            var reports = new Reports(result);
            reports.write(root);
            int columns = Terminal.now().map(Terminal::columns).orElse(0);
            out.print(json ? reports.json() : reports.table(columns));
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
                "--fixed-length and --sample-bytes are for generated samples; yours (--data) are as they are");
        long count = samples != null ? samples : data == null ? Workload.SAMPLES : 0;
        int bytes = sampleBytes == null
                ? Workload.SAMPLE_BYTES
                : Math.toIntExact(Math.min(Integer.MAX_VALUE, Sizes.parse("--sample-bytes", sampleBytes)));
        var choices = new SettingChoices(
                values(mmap, true),
                values(fixedLength, false),
                values(shuffle, true),
                workers.isEmpty() ? SettingChoices.workerCurve(Cores.allocated()) : workers,
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
                        .filter(format -> format.can(Ability.WRITE))
                        .toList()
                : formats.stream().distinct().map(Formats::named).toList();
    }
}
