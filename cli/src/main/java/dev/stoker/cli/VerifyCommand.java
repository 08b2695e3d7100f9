package dev.stoker.cli;

import dev.stoker.StokerException;
import dev.stoker.format.Container;
import dev.stoker.format.Formats;
import dev.stoker.memory.Cores;
import dev.stoker.memory.Patch;
import dev.stoker.memory.RemotePath;
import dev.stoker.pack.BadFiles;
import dev.stoker.pack.Part;
import dev.stoker.pack.Progress;
import dev.stoker.pack.Repair;
import dev.stoker.pack.SourceRequest;
import dev.stoker.pack.Sources;
import dev.stoker.pack.Verifier;
import dev.stoker.sample.Field;
import dev.stoker.sample.Samples;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
            "Looks for damage: every value is compared with its checksum, or with the source.",
            "With --repair-from, what is damaged is written anew, in place; the options of layout are those of pack."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker verify train.arrow",
            "  stoker verify train.arrow --sample 1%%               a quick look",
            "  stoker verify train.arrow --against photos/         also finds what a checksum of the Index hides",
            "  stoker verify train.arrow --repair-from photos/ --dry-run",
            "  stoker verify train.arrow --repair-from photos/"
        })
final class VerifyCommand implements Callable<Integer> {
    private static final int SHOWN = 20;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "A container of any format.")
    private Path file;

    @Option(names = "--against", paramLabel = "SRC", description = "Compare every value with the source it came from.")
    private @Nullable Path against;

    @Option(
            names = "--repair-from",
            paramLabel = "SRC",
            description =
                    "Write what is damaged anew, from the source that FILE was packed from: a folder or a container.")
    private @Nullable Path repairFrom;

    @Option(
            names = "--manifest",
            paramLabel = "M",
            description = "With --against or --repair-from: the manifest that FILE was packed with.")
    private @Nullable Path manifest;

    @Option(names = "--dry-run", description = "With --repair-from: only say what would be written.")
    private boolean dryRun;

    @Option(
            names = "--sample",
            paramLabel = "PART",
            description = "Look only at a random part of the samples, as 1%% or 5000, and not at the frame.")
    private @Nullable String sample;

    @Option(names = "--seed", paramLabel = "N", description = "With --sample: which part (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--workers", paramLabel = "N", description = "Threads (default: the cores of the allocation).")
    private int workers = Cores.allocated();

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Mixin
    private LayoutOptions layout = new LayoutOptions();

    @Override
    public Integer call() {
        if (repairFrom != null && (against != null || sample != null) || repairFrom == null && dryRun) {
            throw new ParameterException(
                    spec.commandLine(), "--repair-from goes with --dry-run, and neither with --against nor --sample");
        }
        if (repairFrom != null) {
            return repair(repairFrom);
        }
        var progress = new Progress();
        Verifier.Report result;
        try (Container container = Container.openDamaged(file);
                var _ = ProgressBar.of(progress)) {
            result = against == null
                    ? Verifier.verify(container, part(container), workers, progress)
                    : compare(container, against, progress);
        }
        var report = new Report().put("file", file.toString());
        tell(report, result);
        report.print(spec.commandLine().getOut(), json);
        return result.isIntact() ? 0 : 1;
    }

    private Part part(Container container) {
        return sample == null ? Part.all(container.count()) : Part.of(sample, container.count(), seed);
    }

    private Verifier.Report compare(Container container, Path source, Progress progress) {
        try (Samples samples = open(source, container.schema().find(Field.LABEL) >= 0)) {
            return Verifier.against(container, samples, workers, progress);
        }
    }

    private Samples open(Path source, boolean labels) {
        return Sources.open(
                new SourceRequest(source, manifest, labels, null, workers, BadFiles.refused()).without(file));
    }

    private int repair(Path source) {
        if (file instanceof RemotePath) {
            throw new StokerException(
                    "[" + file + "] an object on remote storage is not repaired in place; pack it anew");
        }
        var progress = new Progress();
        Repair.Result result;
        try (var _ = ProgressBar.of(progress);
                Samples samples = open(source, hasLabels())) {
            result = new Repair(file, samples, layout.options(), workers, progress).run(!dryRun);
        }
        var report = new Report().put("file", file.toString());
        Verifier.Report last = result.after() == null ? result.before() : result.after();
        if (last == null) {
            report.line(file + ": cannot be opened as it is");
        } else {
            tell(report, last);
        }
        tellPatches(report, result);
        report.print(spec.commandLine().getOut(), json);
        if (result.obstacle() != null) {
            throw new StokerException(result.obstacle());
        }
        return last != null && last.isIntact() ? 0 : 1;
    }

    /** Whether the samples were packed with labels, as far as the container can still say it. */
    private boolean hasLabels() {
        try (Container container = Container.openDamaged(Formats.fileOf(file))) {
            return container.schema().find(Field.LABEL) >= 0;
        } catch (StokerException e) {
            return true;
        }
    }

    private void tellPatches(Report report, Repair.Result result) {
        var listed = new ArrayList<Map<String, Object>>();
        boolean isWritten = result.after() != null;
        for (Patch patch : result.patches().list()) {
            var one = new LinkedHashMap<String, Object>();
            one.put("file", patch.path().toString());
            one.put("places", patch.ranges().size());
            one.put("bytes", patch.bytes());
            listed.add(one);
            report.line((isWritten ? "written: " : "would be written: ") + Human.count(patch.bytes()) + " bytes at "
                    + Human.count(patch.ranges().size()) + " places of " + patch.path());
        }
        if (listed.isEmpty()) {
            report.line("nothing to write");
        }
        report.put("written", isWritten).put("repair", listed);
    }

    private void tell(Report report, Verifier.Report result) {
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
        report.line(file + ": " + verdict(result) + ", " + Human.count(result.checked()) + " values of "
                + looked(result) + " checked"
                + (result.unchecked() > 0
                        ? "; " + Human.count(result.unchecked())
                                + " values have no checksum and were not (stoker index --checksums makes them)"
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
                ? Human.count(result.samples()) + " samples"
                : Human.count(result.looked()) + " of " + Human.count(result.samples())
                        + " samples (a random part, seed " + seed + "; the rest and the frame were not looked at)";
    }
}
