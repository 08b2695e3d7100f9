package dev.stoker.cli;

import dev.stoker.StokerException;
import dev.stoker.format.Sidecar;
import dev.stoker.job.Team;
import dev.stoker.memory.Found;
import dev.stoker.memory.RemotePath;
import dev.stoker.pack.BadFiles;
import dev.stoker.pack.Packer;
import dev.stoker.pack.Progress;
import dev.stoker.pack.Retyped;
import dev.stoker.pack.SourceRequest;
import dev.stoker.pack.Sources;
import dev.stoker.sample.Samples;
import dev.stoker.spark.SparkCrew;
import dev.stoker.spark.SparkSubmit;
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
            "Packs many small files into one container.",
            "",
            "SRC is a folder (a sample's label is its top folder), a tar (.tar, .tar.gz, .tar.zst), or a container of any"
                    + " format; SRC and OUT may be on S3, and SRC, with --on, on HDFS. A sample has the fields key (its path), data (its bytes), label, and those that a manifest adds."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker pack photos/ -o photos.arrow",
            "  stoker pack data/ --manifest data/imagenet_train.json -o train.stk",
            "  stoker pack --split train=train/ --split val=val/ -o both.stk",
            "  stoker pack photos/ -o course.arrow --name data=image_data --type label=uint16 --rows-per-batch 1",
            "  stoker pack photos/ -o small.stk --resize 256 --skip-bad   pictures as small as the training needs",
            "  stoker pack photos/ -o photos.arrow --resume        go on after a kill",
            "  stoker pack photos/ -o photos.arrow --metrics prometheus://:9400   how far it is, for Prometheus",
            "  srun -N4 -n8 stoker pack photos/ -o photos.h5       eight processes write one file, without locks",
            "  stoker pack s3://bucket/photos -o photos.stk",
            "  stoker pack photos/ -o photos.h5 --on spark://head:7077   the tasks of a Spark job do",
            "  stoker pack hdfs://head:8020/photos -o photos.h5 --on yarn   from what Spark's Hadoop reads"
        })
final class PackCommand implements Callable<Integer> {
    /** Where labels come from. */
    enum Labels {
        folder,
        none
    }

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "SRC", arity = "0..1", description = "What is packed.")
    private @Nullable Path source;

    @Option(
            names = "--split",
            paramLabel = "NAME=SRC",
            description = "A part of the container, with a source of its own.")
    private Map<String, Path> splits = new LinkedHashMap<>();

    @Option(
            names = "--manifest",
            paramLabel = "[NAME=]FILE",
            description =
                    "Lists the files of SRC (or of a split) with their labels and further fields: a JSON object from"
                            + " path to label, JSON Lines, CSV or TSV.")
    private List<String> manifests = new ArrayList<>();

    @Option(names = "--labels", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Labels labels = Labels.folder;

    @Option(names = "--type", paramLabel = "FIELD=TYPE", description = "Store a field as another type.")
    private Map<String, String> types = new LinkedHashMap<>();

    @Option(
            names = "--skip-bad",
            description = "Leave out files that cannot be read, or pictures that cannot be decoded, and list them.")
    private boolean skipBad;

    @Option(
            names = "--on",
            paramLabel = "MASTER",
            description =
                    "Have the tasks of a Spark job write OUT: local[N], spark://HOST:PORT, yarn, ... All nodes must see"
                            + " SRC and OUT under the same names. SRC may be what Spark's Hadoop reads: hdfs://, abfs://, ...")
    private @Nullable String master;

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
        var line = new CommandLine(command)
                .registerConverter(Path.class, text -> below(folder, text))
                .setUnmatchedArgumentsAllowed(true); // those of all commands; whoever sent this has checked them
        if (!line.parseArgs(args.toArray(String[]::new)).hasMatchedOption("--workers")) {
            command.write.setWorkers(1); // a task has one core, unless Spark was told otherwise
        }
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
        Team team = write.join(sources(), read());
        if (master == null) {
            return team.run(() -> pack(badFiles(), team));
        }
        if (team.world() > 1) {
            throw new StokerException("--on is for one process, but this is rank " + team.rank() + " of " + team.world()
                    + "; leave out --on, or start it once");
        }
        List<String> args = args();
        List<String> own = args.subList(args.indexOf("pack") + 1, args.size());
        var recipe =
                new PackRecipe(List.copyOf(own), Path.of("").toAbsolutePath().toString());
        try (var crew = new SparkCrew(recipe)) {
            write.fillBy(crew);
            return pack(badFiles(), crew.finder());
        }
    }

    private List<String> args() {
        return spec.root().commandLine().getParseResult().originalArgs();
    }

    private BadFiles badFiles() {
        return skipBad ? BadFiles.skipped() : BadFiles.refused();
    }

    /** The samples as a task sees them, which finds in the team what was found out already. */
    Samples openTask(Team team) {
        return Retyped.of(open(badFiles(), team), types, write.workers());
    }

    Packer packer(Samples samples) {
        return write.packer(samples, new Progress());
    }

    private int pack(BadFiles badFiles, Team team) {
        var progress = new Progress();
        try (var _ = write.measure("pack", progress);
                var bar = ProgressBar.of(progress, team.leads());
                Samples samples = Retyped.of(
                        pictures.apply(open(badFiles, team), write.reworkSpool(), badFiles, progress, team.world()),
                        types,
                        write.workers())) {
            if (samples.count() == 0) {
                throw new StokerException("there are no files in " + (source == null ? "any split" : "[" + source + "]")
                        + ", so there is nothing to pack");
            }
            return write.run(spec, samples, progress, bar, badFiles, team);
        }
    }

    /** What is packed, in words that are the same for all ranks of a job. */
    private String sources() {
        var words = new ArrayList<String>();
        if (source != null) {
            words.add(source.toAbsolutePath().normalize().toString());
        }
        splits.forEach((name, path) ->
                words.add("--split " + name + "=" + path.toAbsolutePath().normalize()));
        manifests.forEach(manifest -> words.add("--manifest " + manifest));
        types.forEach((field, type) -> words.add("--type " + field + "=" + type));
        words.add("--labels " + labels + (skipBad ? " --skip-bad" : ""));
        return String.join(" ", words);
    }

    /** What is read. */
    private List<Path> read() {
        var paths = new ArrayList<>(splits.values());
        paths.addAll(namedManifests().values());
        if (source != null) {
            paths.add(source);
        }
        return paths;
    }

    private Samples open(BadFiles badFiles, Team team) {
        Map<String, Path> named = namedManifests();
        if (source != null && splits.isEmpty()) {
            if (named.isEmpty() && Found.isFolder(source) && !Sidecar.isBeside(source)) {
                write.labelledByFolders();
            }
            return Sources.open(request(source, named.get(""), badFiles, team));
        }
        if (source != null || splits.isEmpty()) {
            throw new picocli.CommandLine.ParameterException(
                    spec.commandLine(), "give either SRC or one --split NAME=SRC for each part");
        }
        var requests = new LinkedHashMap<String, SourceRequest>();
        splits.forEach((name, path) -> requests.put(name, request(path, named.get(name), badFiles, team)));
        return Sources.openSplits(requests);
    }

    private SourceRequest request(Path path, @Nullable Path manifest, BadFiles badFiles, Team team) {
        return new SourceRequest(
                path,
                manifest,
                labels == Labels.folder,
                write.spool(),
                write.workers(),
                badFiles,
                team,
                write.written());
    }

    /** The manifests by the name of their split; the one of SRC has the empty name. */
    private Map<String, Path> namedManifests() {
        var named = new LinkedHashMap<String, Path>();
        for (String manifest : manifests) {
            int equals = manifest.indexOf('=');
            String name = splits.isEmpty() || equals < 0 ? "" : manifest.substring(0, equals);
            String path = splits.isEmpty() || equals < 0 ? manifest : manifest.substring(equals + 1);
            if (!name.isEmpty() && !splits.containsKey(name)) {
                throw new StokerException("--manifest " + manifest + ": there is no split '" + name
                        + "'; the splits are " + String.join(", ", splits.keySet()));
            }
            named.put(name, below(folder, path));
        }
        return named;
    }
}
