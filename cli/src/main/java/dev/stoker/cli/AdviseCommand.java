package dev.stoker.cli;

import dev.stoker.bench.advise.Survey;
import dev.stoker.bench.advise.SurveyJson;
import dev.stoker.bench.advise.Wishes;
import dev.stoker.memory.RemotePath;
import dev.stoker.pack.Progress;
import dev.stoker.stage.Place;
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
            "Says into which format to pack data, how to bring them to the node and how to read them, and why.",
            "",
            "Looks at some of the files, measures the storage where they lie and some of them packed on trial, and"
                    + " looks at what this allocation has. Writes nothing beside the data; the commands that it prints are"
                    + " to be run as they stand."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker advise photos/",
            "  stoker advise train.parquet                            a container: leave it, or convert it?",
            "  stoker advise photos/ --memory 16GiB --bytes-per-sample 40MiB   the largest batch that fits",
            "  stoker advise photos/ --node-local /scratch/job --seconds 60",
            "  srun -n1 stoker advise photos/ --json | jq .recommended  on the node that will train"
        })
final class AdviseCommand implements Callable<Integer> {
    private static final double SHORTEST = 1;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "DIR|FILE", description = "A folder of files, or a container of any format.")
    private Path data;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description = "What a batch may take, of a GPU for example (default: a third of the feed's 256 MiB).")
    private @Nullable String memory;

    @Option(
            names = "--bytes-per-sample",
            paramLabel = "SIZE",
            description = "What one sample takes of that, with all that is computed from it (default: its own size).")
    private @Nullable String sampleBytes;

    @Option(
            names = "--node-local",
            paramLabel = "DIR",
            description = "The node's own disk (default: STOKER_LOCAL, SLURM_TMPDIR, TMPDIR or /tmp).")
    private @Nullable Path nodeLocal;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "How long to look, at most and about (default: ${DEFAULT-VALUE}).")
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
                    "data on remote storage have no files to look at here; stage some of them, and ask about those");
        }
        var progress = new Progress("files");
        Survey survey;
        try (var _ = ProgressBar.of(progress)) {
            survey = Survey.of(wishes(), seconds, environment(), progress);
        }
        report(survey).print(spec.commandLine().getOut(), json);
        return 0;
    }

    private Wishes wishes() {
        Path output = output();
        return new Wishes(
                data,
                output,
                Files.exists(Wishes.container(output)),
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
        if (Wishes.container(output).equals(whole)) {
            output = whole.resolveSibling(plain + "-plain");
        }
        Path folder = output.toAbsolutePath().getParent();
        return folder != null && Files.isWritable(folder) ? output : output.getFileName();
    }

    private Map<String, String> environment() {
        var environment = new HashMap<>(System.getenv());
        if (nodeLocal != null) {
            environment.put("STOKER_LOCAL", Place.at(nodeLocal).toString());
        }
        return environment;
    }

    private Report report(Survey survey) {
        var report = new Report()
                .put("path", data.toString())
                .put("seen", SurveyJson.seen(survey.seen()))
                .put("measured", SurveyJson.measured(survey.measured()))
                .put("node", SurveyJson.node(survey.node()))
                .put("recommended", SurveyJson.picks(survey.advice().picks()))
                .put("advice", SurveyJson.points(survey.advice().points()))
                .put("options", SurveyJson.points(survey.advice().options()))
                .put("commands", SurveyJson.commands(survey.advice().commands()));
        new AdviseText(data, survey).addTo(report);
        return report;
    }
}
