package dev.stoker.cli;

import dev.stoker.memory.Cores;
import dev.stoker.memory.RemotePath;
import dev.stoker.metric.Metric;
import dev.stoker.metric.Metrics;
import dev.stoker.metric.Source;
import dev.stoker.pack.Progress;
import dev.stoker.pack.Ranks;
import dev.stoker.stage.Runner;
import dev.stoker.stage.Via;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        description = {
            "Brings data to this node, runs a command with them, and cleans up, however the command ends.",
            "",
            "The command finds its data by STOKER_DATA: a container as a file, the files of a tar or a folder as a folder."
                    + " Its standard streams, signals and exit code are passed through (128 + N if signal N ended it)."
                    + " Processes of one Slurm, MPI or torchrun job on one node share one copy; the last one out cleans."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker run --data photos.tar -- python train.py          STOKER_DATA is the folder of its files, in memory",
            "  stoker run --data train=a.arrow --data val=b.arrow -- ./job   STOKER_DATA_TRAIN, STOKER_DATA_VAL",
            "  stoker run --data train.arrow --via mount -- python train.py  STOKER_DATA is a folder; nothing is copied",
            "  stoker run --data s3://bucket/photos.tar -- python train.py",
            "  stoker run --data train.stk --metrics tensorboard:runs/7 -- python train.py   its loaders and stoker.log too",
            "  srun -N4 --ntasks-per-node=8 stoker run --data photos.tar -- python train.py"
        })
final class RunCommand implements Callable<Integer> {
    /** The launcher may have to set another locale; it leaves here what the user's was. */
    private static final String USERS_LOCALE = "STOKER_LC_ALL";

    @Option(
            names = "--data",
            paramLabel = "[NAME=]SRC",
            required = true,
            description =
                    "A container, a tar or a folder, also on s3://; its place is in STOKER_DATA, or STOKER_DATA_NAME.")
    private List<String> data = new ArrayList<>();

    @Option(
            names = "--via",
            description = {
                "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).",
                "shm copies into memory, local to this node's disk, mount shows a container's files through FUSE, direct does"
                        + " nothing; auto takes the first that does, and says why."
            })
    private Via via = Via.auto;

    @Option(names = "--keep", description = "Keep the copy for later runs; `stoker stage --gc --all` deletes it.")
    private boolean keep;

    @Mixin
    private MetricsOptions metricsOptions = new MetricsOptions();

    @Parameters(paramLabel = "CMD", arity = "1..*", description = "The command and its arguments, after --.")
    private List<String> command;

    @Override
    public Integer call() {
        var progress = new Progress("pieces");
        List<Runner.Data> wanted = data.stream().map(RunCommand::parse).toList();
        String run = UUID.randomUUID().toString();
        var measure = new RunMeasure(progress);
        metricsOptions.registry().meter(Source.RUN, Map.of()).attach(measure);
        try (var bar = ProgressBar.of(progress);
                var watch = new RunWatch(run);
                var metrics = metricsOptions.start("run", Ranks.fromEnvironment(System.getenv()))) {
            var runner = new Runner(via, keep, System.getenv(), progress, line -> bar.say("stoker: " + line));
            int code = runner.run(wanted, command, environment -> {
                bar.close();
                restoreLocale(environment);
                passOn(environment, run);
                metrics.leavePorts();
                measure.begin();
                watch.start();
            });
            summarise(measure, watch);
            return code;
        }
    }

    /** What runs inside brings its metrics to the same places, and can be told from what runs outside. */
    private void passOn(Map<String, String> environment, String run) {
        environment.put(Metrics.RUN_VARIABLE, run);
        String places = metricsOptions.words();
        if (!places.isEmpty()) {
            environment.put(MetricsOptions.VARIABLE, places);
            environment.put(MetricsOptions.EVERY_VARIABLE, Double.toString(metricsOptions.everySeconds()));
        }
    }

    private static void summarise(RunMeasure measure, RunWatch watch) {
        var summary = new RunSummary(
                measure.now(Metric.RUN_STAGE) / 1e9,
                measure.now(Metric.RUN_COMMAND) / 1e9,
                Cores.busyNanosOfChildren() / 1e9,
                Cores.allocated(),
                watch.bottleneck());
        if (summary.isWorthSaying()) {
            System.err.println("stoker: " + summary.sentence());
        }
    }

    private static Runner.Data parse(String word) {
        int equals = word.indexOf('=');
        boolean named = equals > 0 && word.substring(0, equals).matches("[A-Za-z][A-Za-z0-9_]*");
        return named
                ? new Runner.Data(word.substring(0, equals), RemotePath.of(word.substring(equals + 1)))
                : new Runner.Data("", RemotePath.of(word));
    }

    private static void restoreLocale(Map<String, String> environment) {
        String users = environment.remove(USERS_LOCALE);
        if (users != null && !users.isEmpty()) {
            environment.put("LC_ALL", users);
        } else if (users != null) {
            environment.remove("LC_ALL");
        }
    }
}
