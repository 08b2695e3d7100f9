package dev.stoker.cli;

import dev.stoker.StokerException;
import dev.stoker.job.Team;
import dev.stoker.pack.BadFiles;
import dev.stoker.pack.Progress;
import dev.stoker.pack.Retyped;
import dev.stoker.pack.SourceRequest;
import dev.stoker.pack.Sources;
import dev.stoker.sample.Samples;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
                    + " format. A sample has the fields key (its path), data (its bytes), label, and those that a manifest adds."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker pack photos/ -o photos.arrow",
            "  stoker pack data/ --manifest data/imagenet_train.json -o train.stk",
            "  stoker pack --split train=train/ --split val=val/ -o both.stk",
            "  stoker pack photos/ -o course.arrow --name data=image_data --type label=uint16 --rows-per-batch 1",
            "  stoker pack photos/ -o photos.arrow --resume        go on after a kill",
            "  srun -N4 -n8 stoker pack photos/ -o photos.h5       eight processes write one file, without locks"
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

    @Option(names = "--skip-bad", description = "Leave out files that cannot be read, and list them.")
    private boolean skipBad;

    @Mixin
    private WriteOptions write = new WriteOptions();

    @Override
    public Integer call() {
        BadFiles badFiles = skipBad ? BadFiles.skipped() : BadFiles.refused();
        Team team = write.join(sources());
        return team.run(() -> pack(badFiles, team));
    }

    private int pack(BadFiles badFiles, Team team) {
        var progress = new Progress();
        try (var bar = ProgressBar.of(progress, team.leads());
                Samples samples = Retyped.of(open(badFiles, team), types, write.workers())) {
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

    private Samples open(BadFiles badFiles, Team team) {
        Map<String, Path> named = namedManifests();
        if (source != null && splits.isEmpty()) {
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
                path, manifest, labels == Labels.folder, write.spool(), write.workers(), badFiles, team);
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
            named.put(name, Path.of(path));
        }
        return named;
    }
}
