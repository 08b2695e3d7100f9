package dev.stoker.cli.bench;

import dev.stoker.bench.advise.AdviceJson;
import dev.stoker.bench.advise.AdviceReport;
import dev.stoker.bench.advise.AdviseRequest;
import dev.stoker.cli.output.ProgressBar;
import dev.stoker.cli.output.Report;
import dev.stoker.concurrent.Progress;
import dev.stoker.remote.RemotePath;
import dev.stoker.stage.StagingPlace;
import dev.stoker.text.Sizes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
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
            "Recommend how to pack your data, stage it on the node and read it, and explain why.",
            "",
            "Samples some of the files, measures their storage, packs a trial container, and takes the allocation's cores,"
                    + " memory and disks into account. Writes nothing beside the data. You can run the printed commands"
                    + " unchanged."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker advise photos/",
            "  stoker advise train.parquet                            a container: leave it, or convert it?",
            "  stoker advise photos/ --memory 16GiB --bytes-per-sample 40MiB   find the largest batch that fits",
            "  stoker advise photos/ --node-local /scratch/job --seconds 60",
            "  srun -n1 stoker advise photos/ --json | jq .recommended  on the node that will train"
        })
public final class AdviseCommand implements Callable<Integer> {
    private static final double SHORTEST = 1;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR|FILE", description = "A folder of files, or a container of any format.")
    private Path data;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = "Memory for one batch, such as on the GPU (default: a third of the feed's 256 MiB).")
    private @Nullable String memory;

    @Option(
            names = "--bytes-per-sample",
            paramLabel = "SIZE",
            description = "Memory per sample, including everything computed from it (default: the sample's size).")
    private @Nullable String sampleBytes;

    @Option(
            names = "--node-local",
            paramLabel = "DIR",
            description = "A folder on the node's disk (default: $STOKER_LOCAL, $SLURM_TMPDIR, $TMPDIR or /tmp).")
    private @Nullable Path nodeLocal;

    @Option(
            names = "--seconds",
            paramLabel = "SECONDS",
            description = "Approximate time limit (default: ${DEFAULT-VALUE}).")
    private double seconds = 15;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        if (!(seconds >= SHORTEST)) {
            throw new ParameterException(spec.commandLine(), "--seconds should be at least 1 but is " + seconds);
        }
        if (data instanceof RemotePath) {
            throw new ParameterException(
                    spec.commandLine(),
                    "cannot sample data on remote storage; stage some of it, and run advise on the copy");
        }
        var progress = new Progress("files");
        AdviceReport survey;
        try (var _ = ProgressBar.of(progress)) {
            survey = AdviceReport.of(request(), seconds, environment(), progress);
        }
        report(survey).print(spec.commandLine().getOut(), json);
        return 0;
    }

    private AdviseRequest request() {
        Path output = output();
        return new AdviseRequest(
                data,
                output,
                Files.exists(AdviseRequest.container(output)),
                memory == null ? 0 : Sizes.parse("--memory", memory),
                sampleBytes == null ? 0 : Sizes.parse("--bytes-per-sample", sampleBytes),
                nodeLocal);
    }

    /** Beside the data if that folder can be written, else here; without the ending. */
    private Path output() {
        Path given = data.normalize();
        // A dot or two have no name to put an ending to.
        boolean isNamed =
                given.getFileName() != null && !given.getFileName().toString().isEmpty() && !given.endsWith("..");
        Path whole = isNamed ? given : data.toAbsolutePath().normalize();
        String name = whole.getFileName() == null ? "data" : whole.getFileName().toString();
        int dot = Files.isDirectory(whole) ? -1 : name.lastIndexOf('.');
        String plain = dot > 0 ? name.substring(0, dot) : name;
        Path output = whole.resolveSibling(plain);
        if (AdviseRequest.container(output).equals(whole)) {
            output = whole.resolveSibling(plain + "-plain");
        }
        Path folder = output.toAbsolutePath().getParent();
        return folder != null && Files.isWritable(folder) ? output : output.getFileName();
    }

    private Map<String, String> environment() {
        var environment = new HashMap<>(System.getenv());
        if (nodeLocal != null) {
            environment.put("STOKER_LOCAL", StagingPlace.at(nodeLocal).toString());
        }
        return environment;
    }

    private Report report(AdviceReport survey) {
        var report = new Report()
                .put("path", data.toString())
                .put("seen", AdviceJson.seen(survey.seen()))
                .put("measured", AdviceJson.measured(survey.measured()))
                .put("node", AdviceJson.node(survey.node()))
                .put("recommended", AdviceJson.picks(survey.advice().picks()))
                .put("advice", AdviceJson.points(survey.advice().points()))
                .put("options", AdviceJson.points(survey.advice().options()))
                .put("commands", AdviceJson.commands(survey.advice().commands()));
        new AdviseText(data, survey).addTo(report);
        return report;
    }
}
