package dev.stoker.cli;

import dev.stoker.format.Container;
import dev.stoker.memory.Cores;
import dev.stoker.pack.BadFiles;
import dev.stoker.pack.Progress;
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
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description = "Looks for damage: every value is compared with its checksum, or with the source.",
        footerHeading = "%nExamples:%n",
        footer = {"  stoker verify train.arrow", "  stoker verify train.arrow --against photos/"})
final class VerifyCommand implements Callable<Integer> {
    private static final int SHOWN = 20;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "A container of any format.")
    private Path file;

    @Option(names = "--against", paramLabel = "SRC", description = "Compare every value with the source it came from.")
    private @Nullable Path against;

    @Option(names = "--workers", paramLabel = "N", description = "Threads (default: the cores of the allocation).")
    private int workers = Cores.allocated();

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        var progress = new Progress();
        Verifier.Report result;
        try (Container container = Container.open(file);
                var _ = ProgressBar.of(progress)) {
            result = against == null
                    ? Verifier.verify(container, workers, progress)
                    : compare(container, against, progress);
        }
        report(result).print(spec.commandLine().getOut(), json);
        return result.isIntact() ? 0 : 1;
    }

    private Verifier.Report compare(Container container, Path source, Progress progress) {
        boolean labels = container.schema().find(Field.LABEL) >= 0;
        var request = new SourceRequest(source, null, labels, null, workers, BadFiles.refused());
        try (Samples samples = Sources.open(request)) {
            return Verifier.against(container, samples, workers, progress);
        }
    }

    private Report report(Verifier.Report result) {
        var report = new Report();
        var listed = new ArrayList<Map<String, Object>>();
        for (Verifier.Damage damage : result.listed()) {
            var one = new LinkedHashMap<String, Object>();
            one.put("sample", damage.sample());
            one.put("field", damage.field());
            one.put("reason", damage.reason());
            listed.add(one);
        }
        report.put("file", file.toString())
                .put("samples", result.samples())
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
        report.line(file + ": " + (result.isIntact() ? "intact" : Human.count(result.damaged()) + " DAMAGED") + ", "
                + Human.count(result.checked()) + " values of " + Human.count(result.samples()) + " samples checked"
                + (result.unchecked() > 0
                        ? "; " + Human.count(result.unchecked())
                                + " values have no checksum (stoker index --checksums makes them)"
                        : ""));
        return report;
    }
}
