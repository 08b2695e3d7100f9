package dev.stoker.cli.pack;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.cli.Main;
import dev.stoker.cli.help.Grouped;
import dev.stoker.cli.help.OptionGroup;
import dev.stoker.cli.output.ProgressBar;
import dev.stoker.cli.output.Report;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Sidecar;
import dev.stoker.job.Team;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.listing.SourceFilter;
import dev.stoker.os.FileProbe;
import dev.stoker.remote.RemotePath;
import dev.stoker.sample.Samples;
import dev.stoker.source.SourceRequest;
import dev.stoker.source.Sources;
import dev.stoker.spark.SparkExecutor;
import dev.stoker.spark.SparkSubmit;
import dev.stoker.transform.RetypedSamples;
import dev.stoker.write.Packer;
import dev.stoker.write.ShareExecutor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description = {
            "Pack many small files into one container.",
            "",
            "SRC is a folder (a sample's label is its top folder), a tar (.tar, .tar.gz, .tar.zst), or a container of any"
                    + " format; SRC and OUT may be on S3, and SRC, with --on, on HDFS. A sample has the fields key (its path), data (its bytes), label, and those that a manifest adds."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker pack photos/ -o photos.arrow",
            "  stoker pack photos/ more/ -o photos.stk --include '*.jpg' --exclude thumbnails",
            "  stoker pack data/ --manifest data/imagenet_train.json -o train.stk",
            "  stoker pack --split train=train/ --split val=val/ -o both.stk",
            "  stoker pack photos/ -o course.arrow --name data=image_data --type label=uint16 --rows-per-batch 1",
            "  stoker pack photos/ -o small.stk --resize 256 --skip-bad   pictures as small as the training needs",
            "  stoker pack photos/ -o photos.arrow --resume        continue after a kill",
            "  stoker pack photos/ -o photos.arrow --metrics prometheus://:9400   progress for Prometheus",
            "  srun -N4 -n8 stoker pack photos/ -o photos.h5       eight processes write one file, without locks",
            "  stoker pack s3://bucket/photos -o photos.stk",
            "  stoker pack photos/ -o photos.h5 --on spark://head:7077   written by the tasks of a Spark job",
            "  stoker pack hdfs://head:8020/photos -o photos.h5 --on yarn   from storage that Spark's Hadoop reads"
        })
public final class PackCommand implements Callable<Integer> {
    /** Where labels come from. */
    enum Labels {
        folder,
        none
    }

    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "SRC",
            arity = "0..*",
            description = "The folder, archive or container to pack. Several SRC are packed as one.")
    private List<Path> sources = new ArrayList<>();

    @Option(names = "--split", paramLabel = "NAME=SRC", description = "Add a split NAME, packed from SRC. Repeatable.")
    private Map<String, Path> splits = new LinkedHashMap<>();

    @Option(
            names = "--manifest",
            paramLabel = "[NAME=]FILE",
            description =
                    "Pack the files that FILE lists, with their labels and other fields: a JSON object from path to"
                            + " label, JSON Lines, CSV or TSV. With NAME=, for that split.")
    private List<String> manifests = new ArrayList<>();

    @Option(
            names = "--labels",
            paramLabel = "FROM",
            description = "Where labels come from: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Labels labels = Labels.folder;

    @Grouped(OptionGroup.FIELDS)
    @Option(
            names = "--type",
            paramLabel = "FIELD=TYPE",
            description =
                    "Store FIELD as TYPE: bytes, text, text[], a number (bool, int8 to int64, uint8 to uint64, float16,"
                            + " float32, float64), or an array of numbers, such as float32[3,4].")
    private Map<String, String> types = new LinkedHashMap<>();

    @Grouped(OptionGroup.DAMAGE)
    @Option(
            names = "--skip-bad",
            description = "Leave out, and list, files that can't be read and pictures that can't be decoded.")
    private boolean skipBad;

    @Grouped(OptionGroup.RANKS)
    @Option(
            names = "--on",
            paramLabel = "MASTER",
            description =
                    "Let the tasks of a Spark job write OUT: local[N], spark://HOST:PORT, yarn, ... All nodes must see"
                            + " SRC and OUT under the same names. SRC may be what Spark's Hadoop reads: hdfs://, abfs://, ...")
    private @Nullable String master;

    @Mixin
    private SelectionOptions selection = new SelectionOptions();

    @Mixin
    private PictureOptions pictures = new PictureOptions();

    @Mixin
    private WriteOptions write = new WriteOptions();

    /** What relative manifests are relative to. */
    private Path folder = Path.of("");

    /** The command as a task on another node has it, which is to fill a share and has another working folder. */
    static PackCommand ofTask(List<String> args, Path folder) {
        var command = new PackCommand();
        command.folder = folder;
        new CommandLine(command)
                .registerConverter(Path.class, text -> below(folder, text))
                .setUnmatchedArgumentsAllowed(true) // those of all commands; the sender has checked them
                .parseArgs(args.toArray(String[]::new));
        return command;
    }

    private static Path below(Path folder, String text) {
        return RemotePath.of(text) instanceof RemotePath remote ? remote : folder.resolve(text);
    }

    @Override
    public Integer call() {
        if (master != null) {
            write.requireShared();
        }
        if (master != null && !SparkSubmit.isInside()) {
            return SparkSubmit.run(master, Main.class, args());
        }
        PackJob job = write.job();
        Team team = job.join(sources(), read());
        if (master == null) {
            return team.run(() -> pack(job, team, null));
        }
        if (team.world() > 1) {
            throw new UsageException("--on is for one process, but this is rank " + team.rank() + " of " + team.world()
                    + "; leave out --on, or start it once");
        }
        List<String> args = args();
        List<String> own = args.subList(args.indexOf("pack") + 1, args.size());
        var recipe =
                new PackRecipe(List.copyOf(own), Path.of("").toAbsolutePath().toString());
        try (var executor = new SparkExecutor(recipe)) {
            return pack(job, executor.finder(), executor);
        }
    }

    private List<String> args() {
        return spec.root().commandLine().getParseResult().originalArgs();
    }

    private BadFilePolicy badFiles() {
        return skipBad ? BadFilePolicy.skipped() : BadFilePolicy.refused();
    }

    /** The samples as a task sees them, which finds in the team what was found out already. */
    Samples openTask(Team team) {
        PackJob job = write.jobOfTask();
        return RetypedSamples.of(open(job, badFiles(), selection.filter(), team), types, job.workers());
    }

    /** What fills the share of a task. */
    Packer packerOfTask(Samples samples) {
        return write.jobOfTask().packer(samples, new Progress());
    }

    private int pack(PackJob job, Team team, @Nullable ShareExecutor executor) {
        var progress = new Progress();
        BadFilePolicy badFiles = badFiles();
        SourceFilter filter = selection.filter();
        boolean isLabelledByFolders = isLabelledByFolders();
        try (var _ = write.measure("pack", job, progress);
                var bar = ProgressBar.of(progress, team.leads()).onInterrupt(job::giveUp);
                Samples samples = RetypedSamples.of(
                        pictures.apply(
                                open(job, badFiles, filter, team), job.reworkSpool(), badFiles, progress, team.world()),
                        types,
                        job.workers())) {
            if (samples.count() == 0) {
                throw new StokerException("there are no files in "
                        + (sources.isEmpty() ? "any split" : sources.size() == 1 ? sources.toString() : "any source")
                        + ", so there is nothing to pack" + PackReport.leftOut(filter));
            }
            Report report = new PackRun(job, team, executor, progress, bar).of(samples);
            PackReport.addSkipped(report, badFiles.list());
            PackReport.addSource(report, filter, samples);
            if (isLabelledByFolders) {
                PackReport.hintAtOneClass(report, samples);
            }
            if (team.leads()) {
                report.print(spec.commandLine().getOut(), write.json());
            }
            return 0;
        }
    }

    /** Whether labels are those of the folders below SRC. Asked first, since SRC may get a sidecar when it is opened. */
    private boolean isLabelledByFolders() {
        return splits.isEmpty()
                && manifests.isEmpty()
                && sources.stream().allMatch(source -> FileProbe.isFolder(source) && !Sidecar.isBeside(source));
    }

    /** What is packed, in words that are the same for all ranks of a job. */
    private String sources() {
        var words = new ArrayList<String>();
        sources.forEach(source -> words.add(source.toAbsolutePath().normalize().toString()));
        splits.forEach((name, path) ->
                words.add("--split " + name + "=" + path.toAbsolutePath().normalize()));
        manifests.forEach(manifest -> words.add("--manifest " + manifest));
        types.forEach((field, type) -> words.add("--type " + field + "=" + type));
        words.add("--labels " + labels + (skipBad ? " --skip-bad" : "") + selection.words());
        return String.join(" ", words);
    }

    /** What is read. */
    private List<Path> read() {
        var paths = new ArrayList<>(splits.values());
        paths.addAll(namedManifests().values());
        paths.addAll(sources);
        return paths;
    }

    private Samples open(PackJob job, BadFilePolicy badFiles, SourceFilter filter, Team team) {
        Map<String, Path> named = namedManifests();
        if (sources.size() > 1 && !named.isEmpty()) {
            throw new picocli.CommandLine.ParameterException(
                    spec.commandLine(), "--manifest names files of one SRC; give one, or make each a --split");
        }
        if (!sources.isEmpty() && splits.isEmpty()) {
            return Sources.openAll(sources.stream()
                    .map(source -> request(job, source, named.get(""), badFiles, team, filter))
                    .toList());
        }
        if (!sources.isEmpty() || splits.isEmpty()) {
            throw new picocli.CommandLine.ParameterException(
                    spec.commandLine(), "give either SRC or one --split NAME=SRC for each part");
        }
        var requests = new LinkedHashMap<String, SourceRequest>();
        splits.forEach((name, path) -> requests.put(name, request(job, path, named.get(name), badFiles, team, filter)));
        return Sources.openSplits(requests);
    }

    private SourceRequest request(
            PackJob job, Path path, @Nullable Path manifest, BadFilePolicy badFiles, Team team, SourceFilter filter) {
        return new SourceRequest(
                path,
                manifest,
                labels == Labels.folder,
                job.spool(),
                job.workers(),
                badFiles,
                team,
                job.written(),
                filter);
    }

    /** The manifests by the name of their split; the one of SRC has the empty name. */
    private Map<String, Path> namedManifests() {
        var named = new LinkedHashMap<String, Path>();
        for (String manifest : manifests) {
            int equals = manifest.indexOf('=');
            String name = splits.isEmpty() || equals < 0 ? "" : manifest.substring(0, equals);
            String path = splits.isEmpty() || equals < 0 ? manifest : manifest.substring(equals + 1);
            if (!name.isEmpty() && !splits.containsKey(name)) {
                throw new UsageException("--manifest " + manifest + ": there is no split '" + name
                        + "'; the splits are " + String.join(", ", splits.keySet()));
            }
            named.put(name, below(folder, path));
        }
        return named;
    }
}
