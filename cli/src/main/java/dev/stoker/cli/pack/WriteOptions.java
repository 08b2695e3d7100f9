package dev.stoker.cli.pack;

import dev.stoker.cli.help.Grouped;
import dev.stoker.cli.help.OptionGroup;
import dev.stoker.cli.output.FormatChoices;
import dev.stoker.cli.output.MetricsOptions;
import dev.stoker.cli.output.ProgressMetrics;
import dev.stoker.concurrent.Progress;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import dev.stoker.job.JobRank;
import dev.stoker.metric.MetricSource;
import dev.stoker.metric.export.MetricsExporter;
import dev.stoker.os.AvailableCores;
import dev.stoker.remote.RemotePath;
import dev.stoker.write.LustreStriping;
import dev.stoker.write.Packer;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of every command that writes a container. */
final class WriteOptions {
    /** Reading files may wait for storage most of the time, so there may be many more workers than cores. */
    private static final int MOST_WORKERS = 32;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "OUT",
            required = true,
            description = "The container to write, also on S3; its extension selects the format.")
    private Path output;

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            completionCandidates = FormatChoices.class,
            description = "The format, if the extension doesn't select it: ${COMPLETION-CANDIDATES}.")
    private @Nullable String format;

    @Mixin
    private LayoutOptions layout = new LayoutOptions();

    @Grouped(OptionGroup.SPEED)
    @Option(
            names = "--workers",
            paramLabel = "N",
            description =
                    "Maximum number of threads (default: 32); starts with one per core, adds more while cores are idle.")
    private @Nullable Integer workers;

    @Option(
            names = "--resume",
            description = "Continue an interrupted run; start over if there is none; compare if it was complete.")
    private boolean resume;

    @Option(names = "--force", description = "Overwrite an existing container, but never a source.")
    private boolean force;

    @Option(names = "--strict", description = "Refuse an input of which something would be left out.")
    private boolean strict;

    @Grouped(OptionGroup.SPEED)
    @Option(names = "--no-sync", description = "Don't wait until the data is on the disk.")
    private boolean noSync;

    @Option(names = "--dry-run", description = "Only plan, and report what would be written.")
    private boolean dryRun;

    @Grouped(OptionGroup.SPEED)
    @Option(
            names = "--stripe",
            paramLabel = "auto|COUNT:SIZE",
            description = "Lustre: stripe count and stripe size of OUT, such as 8:4m.")
    private @Nullable String stripe;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Mixin
    private RankOptions ranks = new RankOptions();

    @Mixin
    private MetricsOptions metrics = new MetricsOptions();

    /** What the options say, for this process. */
    PackJob job() {
        int most = Math.max(MOST_WORKERS, AvailableCores.allocated());
        return job(workers == null ? most : workers, ranks.rank(System.getenv()));
    }

    /** The same for a task on another node, which has one core unless Spark was told otherwise, and is no rank. */
    PackJob jobOfTask() {
        return job(workers == null ? 1 : workers, new JobRank(0, 1, 0, "a task"));
    }

    private PackJob job(int threads, JobRank rank) {
        Format chosen = format != null ? Formats.named(format) : Formats.forOutput(output);
        String words = " as " + chosen.name() + layout + (stripe == null ? "" : ", --stripe " + stripe);
        LustreStriping stripes = stripe == null ? LustreStriping.NONE : LustreStriping.of(stripe);
        RemoteUpload upload = output instanceof RemotePath to ? RemoteUpload.create(to, resume, force) : null;
        return new PackJob(
                output,
                upload == null ? output : upload.file(),
                upload,
                chosen,
                words,
                new Packer.Settings(layout.options(), threads, resume, force, !noSync),
                stripes,
                dryRun,
                strict,
                rank,
                ranks.timeout());
    }

    /** Refuses an OUT that several processes cannot write together. */
    void requireShared() {
        RemoteUpload.requireShared(output);
    }

    /** Counts how far the work is, until it is closed. */
    MetricsExporter measure(String command, PackJob job, Progress progress) {
        metrics.registry()
                .meter(MetricSource.PACK, Map.of("data", output.getFileName().toString()))
                .attach(new ProgressMetrics(progress));
        return metrics.start(command, job.rank());
    }

    boolean json() {
        return json;
    }
}
