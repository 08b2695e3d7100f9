package dev.stoker.cli;

import dev.stoker.pack.Progress;
import dev.stoker.stage.Form;
import dev.stoker.stage.Goods;
import dev.stoker.stage.Place;
import dev.stoker.stage.Staged;
import dev.stoker.stage.Stager;
import dev.stoker.stage.Sweep;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description = {
            "Copies a container, or the files of a tar or a folder, to memory or a disk of this node, and prints the path.",
            "",
            "Only you can see the copy. It stays as long as your Slurm job (elsewhere: your session) or, with --keep,"
                    + " until --gc --all; `stoker run` cleans up by itself. What was copied already is not copied again, and"
                    + " a copy that was interrupted is gone on with."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker stage train.arrow                    /dev/shm/stoker-…/data/train.arrow",
            "  data=$(stoker stage photos.tar --extract)   the loose files, in memory",
            "  stoker stage photos.tar --extract --to local --keep",
            "  stoker stage s3://bucket/train.arrow --to local",
            "  stoker stage --list",
            "  stoker stage --gc                           deletes what was left over"
        })
final class StageCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "SRC",
            arity = "0..1",
            description = "A container, a tar, a folder, or any file, also on S3.")
    private @Nullable Path source;

    @Option(
            names = "--to",
            paramLabel = "PLACE",
            description = "shm (memory, the default), local (STOKER_LOCAL, SLURM_TMPDIR, TMPDIR or /tmp), or a folder.")
    private @Nullable String to;

    @Option(names = "--extract", description = "The loose files instead of the tar or container.")
    private boolean extract;

    @Option(names = "--keep", description = "Keep the copy for later jobs.")
    private boolean keep;

    @Option(names = "--list", description = "List what you have staged on this node.")
    private boolean list;

    @Option(names = "--gc", description = "Delete what nobody needs any more.")
    private boolean gc;

    @Option(names = "--all", description = "With --gc: also what is kept, or owned, and not in use.")
    private boolean all;

    @Option(
            names = "--elsewhere",
            description =
                    "With --gc: also what other nodes or containers have staged here. Whether they still need it cannot be"
                            + " told from this one: give it only when they do not.")
    private boolean elsewhere;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        if ((source != null ? 1 : 0) + (list ? 1 : 0) + (gc ? 1 : 0) != 1 || ((all || elsewhere) && !gc)) {
            throw new ParameterException(
                    spec.commandLine(), "give one of SRC, --list and --gc; --all and --elsewhere go with --gc");
        }
        Report report = source != null ? stage(source) : list ? list() : collect();
        report.print(spec.commandLine().getOut(), json);
        return 0;
    }

    private Report stage(Path path) {
        Map<String, String> environment = System.getenv();
        var progress = new Progress("pieces");
        Place place = Place.of(to == null ? Place.SHM : to, environment);
        try (Goods goods = Goods.of(path)) {
            Form form = extract || goods.isFolder() ? Form.TREE : Form.FILE;
            return stage(goods, form, place, environment, progress);
        }
    }

    private Report stage(Goods goods, Form form, Place place, Map<String, String> environment, Progress progress) {
        try (var _ = ProgressBar.of(progress);
                Staged staged = new Stager(place, environment, progress)
                        .stage(new Stager.Request(goods, form, "", keep, true))) {
            return new Report()
                    .put("data", staged.data().toString())
                    .put("bytes", progress.totalBytes())
                    .line(staged.data().toString());
        }
    }

    private List<Stager> stagers() {
        Map<String, String> environment = System.getenv();
        List<Place> places = to == null ? Place.usual(environment) : List.of(Place.of(to, environment));
        return places.stream()
                .map(place -> new Stager(place, environment, new Progress()))
                .toList();
    }

    private Report list() {
        var report = new Report();
        var staged = new ArrayList<Map<String, Object>>();
        for (Stager stager : stagers()) {
            stager.list(each -> {
                var one = new LinkedHashMap<String, Object>();
                one.put("source", each.source());
                one.put("data", each.data().toString());
                one.put("form", each.form());
                one.put("state", each.state());
                staged.add(one);
                report.line(each.data() + "  (" + each.source() + ", " + each.state() + ")");
            });
        }
        return report.put("staged", staged);
    }

    private Report collect() {
        var report = new Report();
        var gone = new ArrayList<String>();
        var left = new ArrayList<String>();
        for (Stager stager : stagers()) {
            for (Path folder : stager.sweep(new Sweep(all, elsewhere))) {
                gone.add(folder.toString());
                report.line("deleted " + folder);
            }
            stager.list(each -> {
                if (!each.elsewhere().isEmpty() && !elsewhere && (all || !each.isKept())) {
                    left.add(each.folder().toString());
                    report.line("left " + each.folder() + ": it belongs to " + each.elsewhere()
                            + ", so whether it is still needed cannot be told from here; run this command there, or, if"
                            + " nothing there needs it any more, add --elsewhere");
                }
            });
        }
        return report.put("deleted", gone).put("left", left);
    }
}
