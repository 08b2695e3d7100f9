package dev.stoker.cli.container;

import dev.stoker.StokerException;
import dev.stoker.cli.output.EachFile;
import dev.stoker.cli.output.Human;
import dev.stoker.cli.output.ProgressBar;
import dev.stoker.cli.output.Report;
import dev.stoker.cli.pack.LayoutOptions;
import dev.stoker.cli.pack.SelectionOptions;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.format.Formats;
import dev.stoker.io.FilePatch;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.os.AvailableCores;
import dev.stoker.remote.RemotePath;
import dev.stoker.repair.Repair;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import dev.stoker.source.SourceRequest;
import dev.stoker.source.Sources;
import dev.stoker.verify.SampleSubset;
import dev.stoker.verify.Verifier;
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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description = {
            "Check a container for damage: compare every value with its checksum, or with the source.",
            "--repair-from rewrites damaged bytes in place; pass the layout options that FILE was packed with."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker verify train.arrow",
            "  stoker verify shards/*.tar                          each of them",
            "  stoker verify train.arrow --sample 1%%               a quick check",
            "  stoker verify train.arrow --against photos/         also finds damage that the checksums miss",
            "  stoker verify train.arrow --repair-from photos/ --dry-run",
            "  stoker verify train.arrow --repair-from photos/"
        })
public final class VerifyCommand implements Callable<Integer> {
    private static final int SHOWN = 20;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", arity = "1..*", description = "Containers of any format.")
    private List<Path> files;

    @Option(
            names = "--against",
            paramLabel = "SRC",
            description = "Compare every value with the source that FILE was packed from.")
    private @Nullable Path against;

    @Option(
            names = "--repair-from",
            paramLabel = "SRC",
            description = "Repair damaged bytes from the source that FILE was packed from: a folder or a container.")
    private @Nullable Path repairFrom;

    @Option(
            names = "--manifest",
            paramLabel = "MANIFEST",
            description = "With --against or --repair-from: the manifest that was used for packing.")
    private @Nullable Path manifest;

    @Option(names = "--dry-run", description = "With --repair-from: only report what would be repaired.")
    private boolean dryRun;

    @Option(
            names = "--sample",
            paramLabel = "PART",
            description = "Check only a random subset of the samples, such as 1%% or 5000, and not the frame.")
    private @Nullable String sample;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "With --sample: seed of the subset (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--workers", paramLabel = "N", description = "Number of threads (default: one per allocated core).")
    private int workers = AvailableCores.allocated();

    @Option(names = "--json", description = "Print one JSON object; of several files, a list.")
    private boolean json;

    @Mixin
    private SelectionOptions selection = new SelectionOptions();

    @Mixin
    private LayoutOptions layout = new LayoutOptions();

    @Override
    public Integer call() throws Exception {
        if (repairFrom != null && (against != null || sample != null) || repairFrom == null && dryRun) {
            throw new ParameterException(
                    spec.commandLine(), "--dry-run requires --repair-from, which excludes --against and --sample");
        }
        if (files.size() > 1 && (repairFrom != null || against != null)) {
            throw new ParameterException(spec.commandLine(), "--against and --repair-from take one FILE");
        }
        if (repairFrom != null) {
            return repair(files.getFirst(), repairFrom);
        }
        return new EachFile(spec, json).run(files, this::verify);
    }

    private EachFile.Found verify(Path file) {
        var progress = new Progress();
        Verifier.Report result;
        try (Container container = Container.openDamaged(file);
                var _ = ProgressBar.of(progress)) {
            result = against == null
                    ? Verifier.verify(container, part(container), workers, progress)
                    : compare(file, container, against, progress);
        }
        var report = new Report().put("file", file.toString());
        tell(file, report, result);
        return new EachFile.Found(report, result.isIntact() ? 0 : 1);
    }

    private SampleSubset part(Container container) {
        return sample == null ? SampleSubset.all(container.count()) : SampleSubset.of(sample, container.count(), seed);
    }

    private Verifier.Report compare(Path file, Container container, Path source, Progress progress) {
        try (Samples samples = open(file, source, container.schema().find(Field.LABEL) >= 0)) {
            return Verifier.against(container, samples, workers, progress);
        }
    }

    private Samples open(Path file, Path source, boolean labels) {
        return Sources.open(new SourceRequest(source, manifest, labels, null, workers, BadFilePolicy.refused())
                .without(file)
                .filtered(selection.filter()));
    }

    private int repair(Path file, Path source) {
        if (file instanceof RemotePath) {
            throw new StokerException(file, "cannot be repaired in place on remote storage; pack it again");
        }
        var progress = new Progress();
        Repair.Result result;
        try (var _ = ProgressBar.of(progress);
                Samples samples = open(file, source, hasLabels(file))) {
            result = new Repair(file, samples, layout.options(), workers, progress).run(!dryRun);
        }
        var report = new Report().put("file", file.toString());
        Verifier.Report last = result.after() == null ? result.before() : result.after();
        if (last == null) {
            report.line(file + ": cannot be opened");
        } else {
            tell(file, report, last);
        }
        tellPatches(report, result);
        report.print(spec.commandLine().getOut(), json);
        if (result.obstacle() != null) {
            throw new StokerException(result.obstacle());
        }
        return last != null && last.isIntact() ? 0 : 1;
    }

    /** Whether the samples were packed with labels, as far as the container can still say it. */
    private boolean hasLabels(Path file) {
        try (Container container = Container.openDamaged(Formats.fileOf(file))) {
            return container.schema().find(Field.LABEL) >= 0;
        } catch (StokerException e) {
            return true;
        }
    }

    private void tellPatches(Report report, Repair.Result result) {
        var listed = new ArrayList<Map<String, Object>>();
        boolean isWritten = result.after() != null;
        for (FilePatch patch : result.patches().list()) {
            var one = new LinkedHashMap<String, Object>();
            one.put("file", patch.path().toString());
            one.put("places", patch.ranges().size());
            one.put("bytes", patch.bytes());
            listed.add(one);
            report.line((isWritten ? "repaired " : "would repair ") + Human.count(patch.bytes(), "byte") + " at "
                    + Human.count(patch.ranges().size(), "place") + " of " + patch.path());
        }
        if (listed.isEmpty()) {
            report.line(result.obstacle() == null ? "nothing to repair" : "nothing was repaired");
        }
        report.put("written", isWritten).put("repair", listed);
    }

    private void tell(Path file, Report report, Verifier.Report result) {
        var listed = new ArrayList<Map<String, Object>>();
        for (Verifier.Damage damage : result.listed()) {
            var one = new LinkedHashMap<String, Object>();
            one.put("kind", damage.kind().name().toLowerCase(java.util.Locale.ROOT));
            one.put("sample", damage.sample());
            one.put("field", damage.field());
            one.put("reason", damage.reason());
            listed.add(one);
        }
        report.put("samples", result.samples())
                .put("looked_at", result.looked())
                .put("checked", result.checked())
                .put("unchecked", result.unchecked())
                .put("damaged", result.damaged())
                .put("damage", listed);
        for (Verifier.Damage damage :
                result.listed().subList(0, Math.min(SHOWN, result.listed().size()))) {
            report.line((damage.sample() < 0
                            ? "damaged: "
                            : "damaged: sample " + damage.sample() + ", field '" + damage.field() + "': ")
                    + damage.reason());
        }
        if (result.damaged() > SHOWN) {
            report.line("… and " + Human.count(result.damaged() - SHOWN) + " more (--json lists up to 1,000)");
        }
        report.line(
                file + ": " + verdict(result) + ", " + Human.count(result.checked(), "value") + " of " + looked(result)
                        + " checked"
                        + (result.unchecked() > 0
                                ? "; " + Human.count(result.unchecked())
                                        + " more have no checksum and could not be checked (stoker index --checksums records"
                                        + " their current checksums)"
                                : ""));
    }

    private static String verdict(Verifier.Report result) {
        if (!result.isIntact()) {
            return Human.count(result.damaged()) + " DAMAGED";
        }
        return result.unchecked() > 0 ? "no damage found" : "intact";
    }

    private String looked(Verifier.Report result) {
        return result.looked() == result.samples()
                ? Human.count(result.samples(), "sample")
                : Human.count(result.looked()) + " of " + Human.count(result.samples())
                        + " samples (random subset, seed " + seed + "; the rest and the frame were not checked)";
    }
}
