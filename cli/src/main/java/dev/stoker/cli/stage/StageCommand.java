package dev.stoker.cli.stage;

import dev.stoker.cli.output.Human;
import dev.stoker.cli.output.ProgressBar;
import dev.stoker.cli.output.Report;
import dev.stoker.concurrent.Progress;
import dev.stoker.stage.CleanupScope;
import dev.stoker.stage.StagedData;
import dev.stoker.stage.Stager;
import dev.stoker.stage.StagingPlace;
import dev.stoker.stage.copy.StageSource;
import dev.stoker.stage.copy.StagedForm;
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
            "Copy a container, or the files of a tar or folder, to this node's memory or disk, and print the path.",
            "",
            "Only you can see the copy. It lasts as long as your Slurm job (elsewhere: your session) or, with --keep, until"
                    + " --gc --all; `stoker run` cleans up by itself. Existing copies are reused, and an interrupted copy"
                    + " resumes."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker stage train.arrow                    /dev/shm/stoker-…/data/train.arrow",
            "  data=$(stoker stage photos.tar --extract)   the extracted files, in memory",
            "  stoker stage photos.tar --extract --to local --keep",
            "  stoker stage s3://bucket/train.arrow --to local",
            "  stoker stage --list",
            "  stoker stage --gc                           delete leftovers"
        })
public final class StageCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(
            paramLabel = "SRC",
            arity = "0..1",
            description = "A container, a tar, a folder, or any file; local or on S3.")
    private @Nullable Path source;

    @Option(
            names = "--to",
            paramLabel = "PLACE",
            description =
                    "shm (memory), local ($STOKER_LOCAL, $SLURM_TMPDIR, $TMPDIR or /tmp), or a folder (default: shm).")
    private @Nullable String to;

    @Option(names = "--extract", description = "Stage the files inside the tar or container, not the file itself.")
    private boolean extract;

    @Option(names = "--keep", description = "Keep the copy for later jobs.")
    private boolean keep;

    @Option(names = "--list", description = "List what you have staged on this node, with sizes.")
    private boolean list;

    @Option(names = "--gc", description = "Delete copies that are no longer needed.")
    private boolean gc;

    @Option(
            names = "--all",
            description = "With --gc: also delete copies that are kept, or whose job still runs, if not in use.")
    private boolean all;

    @Option(
            names = "--elsewhere",
            description =
                    "With --gc: also delete what other nodes or containers staged here. This node can't see whether they"
                            + " still need it, so make sure that they don't.")
    private boolean elsewhere;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        if ((source != null ? 1 : 0) + (list ? 1 : 0) + (gc ? 1 : 0) != 1 || ((all || elsewhere) && !gc)) {
            throw new ParameterException(
                    spec.commandLine(), "give exactly one of SRC, --list and --gc; --all and --elsewhere require --gc");
        }
        Report report = source != null ? stage(source) : list ? list() : collect();
        report.print(spec.commandLine().getOut(), json);
        return 0;
    }

    private Report stage(Path path) {
        Map<String, String> environment = System.getenv();
        var progress = new Progress("pieces");
        StagingPlace place = StagingPlace.of(to == null ? StagingPlace.SHM : to, environment);
        try (StageSource source = StageSource.of(path)) {
            StagedForm form = extract || source.isFolder() ? StagedForm.TREE : StagedForm.FILE;
            return stage(source, form, place, environment, progress);
        }
    }

    private Report stage(
            StageSource source,
            StagedForm form,
            StagingPlace place,
            Map<String, String> environment,
            Progress progress) {
        try (var _ = ProgressBar.of(progress).onInterrupt(() -> "run the same command again to resume the copy");
                StagedData staged = new Stager(place, environment, progress)
                        .stage(new Stager.Request(source, form, "", keep, true))) {
            return new Report()
                    .put("data", staged.data().toString())
                    .put("bytes", progress.totalBytes())
                    .line(staged.data().toString());
        }
    }

    private List<Stager> stagers() {
        Map<String, String> environment = System.getenv();
        List<StagingPlace> places =
                to == null ? StagingPlace.usual(environment) : List.of(StagingPlace.of(to, environment));
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
                long bytes = each.bytes();
                one.put("bytes", bytes);
                staged.add(one);
                report.line(
                        each.data() + "  (" + each.source() + ", " + Human.bytes(bytes) + ", " + each.state() + ")");
            });
        }
        return report.put("staged", staged);
    }

    private Report collect() {
        var report = new Report();
        var gone = new ArrayList<String>();
        var left = new ArrayList<String>();
        for (Stager stager : stagers()) {
            for (Path folder : stager.sweep(new CleanupScope(all, elsewhere))) {
                gone.add(folder.toString());
                report.line("deleted " + folder);
            }
            stager.list(each -> {
                if (!each.elsewhere().isEmpty() && !elsewhere && (all || !each.isKept())) {
                    left.add(each.folder().toString());
                    report.line("kept " + each.folder() + ": it belongs to " + each.elsewhere()
                            + ", which may still need it; run this command there, or add --elsewhere if nothing there"
                            + " needs it");
                }
            });
        }
        return report.put("deleted", gone).put("left", left);
    }
}
