package dev.stoker.cli;

import dev.stoker.StokerException;
import dev.stoker.format.BlockCut;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import dev.stoker.format.Options;
import dev.stoker.format.Plan;
import dev.stoker.job.Team;
import dev.stoker.memory.Cores;
import dev.stoker.memory.RemotePath;
import dev.stoker.metric.Metrics;
import dev.stoker.metric.Source;
import dev.stoker.pack.BadFiles;
import dev.stoker.pack.Compressibility;
import dev.stoker.pack.Crew;
import dev.stoker.pack.Packer;
import dev.stoker.pack.Progress;
import dev.stoker.pack.Stripes;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of every command that writes a container, and the writing itself. */
final class WriteOptions {
    /** Reading files may wait for storage most of the time, so there may be many more workers than cores. */
    private static final int MOST_WORKERS = 32;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "OUT",
            required = true,
            description = "The container, also on S3; its ending names the format.")
    private Path output;

    @Option(
            names = "--format",
            paramLabel = "F",
            description = "The format, if the ending does not say it (see: stoker formats).")
    private @Nullable String format;

    @Mixin
    private LayoutOptions layout = new LayoutOptions();

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Threads at the most (default: 32); as many as cores at first, more while these are idle.")
    private int workers = Math.max(MOST_WORKERS, Cores.allocated());

    @Option(
            names = "--resume",
            description = "Go on with what a killed run left; begin anew if there is nothing; compare if all was done.")
    private boolean resume;

    @Option(names = "--force", description = "Write over an existing container, never over what is read.")
    private boolean force;

    @Option(names = "--no-sync", description = "Do not wait until the disk has everything.")
    private boolean noSync;

    @Option(names = "--dry-run", description = "Plan only, and say what would be written.")
    private boolean dryRun;

    @Option(
            names = "--stripe",
            paramLabel = "auto|COUNT:SIZE",
            description = "Lustre: spread OUT over so many servers, so many bytes each time, as 8:4m.")
    private @Nullable String stripe;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Mixin
    private RankOptions ranks = new RankOptions();

    @Mixin
    private MetricsOptions metricsOptions = new MetricsOptions();

    /** Whether labels are those of the folders below SRC. */
    private boolean isLabelledByFolders;

    /** Those who fill; null if this process does. */
    private @Nullable Crew crew;

    /** Where a container for S3 lies until it is complete. */
    private @Nullable Outbox outbox;

    int workers() {
        return workers;
    }

    void setWorkers(int number) {
        workers = number;
    }

    void labelledByFolders() {
        isLabelledByFolders = true;
    }

    void fillBy(Crew others) {
        crew = others;
    }

    /** Where the container is written: to OUT, or to a folder from which it is sent there. */
    Path written() {
        if (output instanceof RemotePath remote) {
            Outbox made = outbox;
            if (made == null) {
                made = Outbox.create(remote);
                outbox = made;
            }
            return made.file();
        }
        return output;
    }

    /** Where a compressed source may be unpacked on the way. */
    Path spool() {
        return written().resolveSibling(output.getFileName() + ".spool");
    }

    /** Where values lie that are changed before they are packed. */
    Path reworkSpool() {
        return written().resolveSibling(output.getFileName() + ".rework");
    }

    /**
     * The processes that write together.
     *
     * @param sources what is written, in words; must be the same for all of them
     * @param read what is read for it
     */
    Team join(String sources, List<Path> read) {
        String work =
                sources + " as " + chosenFormat().name() + layout + (stripe == null ? "" : ", --stripe " + stripe);
        if (output instanceof RemotePath) {
            Outbox.requireFree(output, resume, force);
        }
        Packer.refuseSources(chosenFormat(), written(), layout.options(), read);
        Runnable refuseExisting = () -> Packer.refuseExisting(chosenFormat(), written(), settings());
        Team team = dryRun ? Team.ALONE : ranks.join(written(), System.getenv(), work, resume, force, refuseExisting);
        if (team.world() > 1) {
            requireShared();
        }
        return team;
    }

    /** Refuses an OUT that several processes cannot write together. */
    void requireShared() {
        if (output instanceof RemotePath) {
            throw new StokerException("[" + output + "] several processes write one file together, which remote storage"
                    + " does not have; give an OUT on a shared disk, and store it from there");
        }
    }

    /** Counts how far the work is, until it is closed. */
    Metrics measure(String command, Progress progress) {
        metricsOptions
                .registry()
                .meter(Source.PACK, Map.of("data", output.getFileName().toString()))
                .attach(new ProgressMeasure(progress));
        return metricsOptions.start(command, ranks.ranks(System.getenv()));
    }

    private Format chosenFormat() {
        return format != null ? Formats.named(format) : Formats.forOutput(output);
    }

    int run(CommandSpec spec, Samples samples, Progress progress, ProgressBar bar, BadFiles badFiles, Team team) {
        long start = System.nanoTime();
        Format chosen = chosenFormat();
        Options options = layout.options();
        Compressibility compressibility = compressibility(chosen, samples, options);
        if (compressibility != null && !compressibility.isWorthwhile()) {
            bar.say(String.format(
                    Locale.ROOT,
                    "%s makes these samples no smaller worth speaking of: %.0f %% of the bytes remain (tried on %s)."
                            + " They are compressed already; without --compression they are read faster.",
                    compressibility.codec(),
                    100 * compressibility.ratio(),
                    Human.bytes(compressibility.plain())));
        }
        Packer packer = packer(samples, progress).inTeam(team);
        if (crew != null) {
            packer.withCrew(crew);
        }
        Report report = dryRun ? planned(packer.plan(), samples) : packed(pack(packer, progress), samples, start);
        bar.close();
        if (!team.leads()) {
            return 0;
        }
        if (crew != null) {
            report.put("tasks", crew.shares());
        } else if (team.world() > 1) {
            report.put("ranks", team.world());
        }
        report.put("format", chosen.name()).put("output", output.toString());
        if (compressibility != null) {
            report.put("compression", compressibility.codec()).put("compression_ratio", compressibility.ratio());
        }
        tellSkipped(report, badFiles.list());
        if (isLabelledByFolders) {
            hintAtOneClass(report, samples);
        }
        report.print(spec.commandLine().getOut(), json);
        return 0;
    }

    private Packer.Result pack(Packer packer, Progress progress) {
        Packer.Result result = packer.run();
        if (outbox != null) {
            outbox.send(progress);
        }
        return result;
    }

    private Packer.Settings settings() {
        return new Packer.Settings(layout.options(), workers, resume, force, !noSync);
    }

    /** What packs these samples as the options say. */
    Packer packer(Samples samples, Progress progress) {
        return new Packer(samples, chosenFormat(), written(), settings(), progress)
                .striped(stripe == null ? Stripes.NONE : Stripes.of(stripe));
    }

    private static @Nullable Compressibility compressibility(Format chosen, Samples samples, Options options) {
        BlockCut cut = chosen.compress(samples, options);
        return cut == null || cut.blocks() == 0 ? null : Compressibility.measure(samples, cut);
    }

    private Report planned(Plan plan, Samples samples) {
        return new Report()
                .put("samples", samples.count())
                .put("bytes", plan.length())
                .put("runs", plan.runs())
                .line("would write " + output + ": " + Human.count(samples.count()) + " samples, "
                        + Human.bytes(plan.length()) + ", in " + Human.count(plan.runs()) + " runs");
    }

    private Report packed(Packer.Result result, Samples samples, long start) {
        double seconds = (System.nanoTime() - start) / 1e9;
        var report = new Report()
                .put("samples", result.samples())
                .put("bytes", result.bytes())
                .put("seconds", seconds)
                .put("runs", result.runs())
                .put("resumed_runs", result.resumedRuns())
                .put("classes", samples.schema().classes().size())
                .line(output + ": " + Human.count(result.samples()) + " samples" + classes(samples) + ", "
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
                ? "; all of it was there already"
                : "; " + result.resumedRuns() + " of " + result.runs() + " runs were there already";
    }

    private static String classes(Samples samples) {
        int classes = samples.schema().classes().size();
        return classes > 1 ? " of " + Human.count(classes) + " classes" : "";
    }

    private static void tellSkipped(Report report, List<BadFiles.BadFile> skipped) {
        if (skipped.isEmpty()) {
            return;
        }
        var listed = new ArrayList<Map<String, Object>>();
        for (BadFiles.BadFile one : skipped) {
            listed.add(Map.of("path", one.path(), "reason", one.reason()));
            report.line("left out: " + one.path() + ": " + one.reason());
        }
        report.put("skipped", listed);
    }

    /** The usual mistake: a folder too high, so that its splits are taken for classes. */
    private static void hintAtOneClass(Report report, Samples samples) {
        if (samples.schema().classes().size() == 1 && samples.schema().find(Field.LABEL) >= 0) {
            String only = samples.schema().classes().getFirst();
            report.line("all samples have the one class '" + only + "'; if that is a split, pack SRC/" + only
                    + " or use --split " + only + "=SRC/" + only);
        }
    }
}
