package dev.stoker.cli.stage;

import dev.stoker.cli.output.MetricsOptions;
import dev.stoker.cli.output.ProgressBar;
import dev.stoker.concurrent.Progress;
import dev.stoker.job.JobRank;
import dev.stoker.metric.Metric;
import dev.stoker.metric.MetricSource;
import dev.stoker.metric.export.MetricsExporter;
import dev.stoker.os.AvailableCores;
import dev.stoker.remote.RemotePath;
import dev.stoker.stage.Runner;
import dev.stoker.stage.StagingMode;
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
            "Stage data on this node, run a command that uses it, and clean up however the command ends.",
            "",
            "STOKER_DATA tells the command where its data is: a container is a file, the files of a tar or folder are a"
                    + " folder. Standard streams, signals and the exit code are passed through (128 + N after signal N)."
                    + " Processes of one Slurm, MPI or torchrun job on a node share one copy; the last to exit cleans up."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker run --data photos.tar -- python train.py          STOKER_DATA is the folder of its files, in memory",
            "  stoker run --data train=a.arrow --data val=b.arrow -- ./job   STOKER_DATA_TRAIN, STOKER_DATA_VAL",
            "  stoker run --data train.arrow --via mount -- python train.py  STOKER_DATA is a folder; nothing is copied",
            "  stoker run --data s3://bucket/photos.tar -- python train.py",
            "  stoker run --data train.stk --metrics tensorboard:runs/7 -- python train.py   with stoker.log",
            "  srun -N4 --ntasks-per-node=8 stoker run --data photos.tar -- python train.py"
        })
public final class RunCommand implements Callable<Integer> {
    /** The launcher may have to set another locale; it leaves here what the user's was. */
    private static final String USERS_LOCALE = "STOKER_LC_ALL";

    @Option(
            names = "--data",
            paramLabel = "[NAME=]SRC",
            required = true,
            description =
                    "A container, tar or folder, local or s3://; its path is in STOKER_DATA or STOKER_DATA_NAME. Repeatable.")
    private List<String> data = new ArrayList<>();

    @Option(
            names = "--via",
            paramLabel = "MODE",
            description = {
                "How to stage: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).",
                "shm copies to memory, local to this node's disk, mount shows a container's files through FUSE, direct uses"
                        + " the data in place; auto picks the first that works and says why."
            })
    private StagingMode via = StagingMode.auto;

    @Option(names = "--keep", description = "Keep the copy for later runs (`stoker stage --gc --all` deletes it).")
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
        var measure = new RunMetrics(progress);
        metricsOptions.registry().meter(MetricSource.RUN, Map.of()).attach(measure);
        try (var bar = ProgressBar.of(progress);
                var watch = new RunWatch(run);
                var metrics = metricsOptions.start("run", JobRank.fromEnvironment(System.getenv()))) {
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

    /** The command exports its metrics to the same places, marked as belonging to this run. */
    private void passOn(Map<String, String> environment, String run) {
        environment.put(MetricsExporter.RUN_VARIABLE, run);
        String places = metricsOptions.words();
        if (!places.isEmpty()) {
            environment.put(MetricsOptions.VARIABLE, places);
            environment.put(MetricsOptions.EVERY_VARIABLE, Double.toString(metricsOptions.everySeconds()));
        }
    }

    private static void summarise(RunMetrics measure, RunWatch watch) {
        var summary = new RunSummary(
                measure.now(Metric.RUN_STAGE) / 1e9,
                measure.now(Metric.RUN_COMMAND) / 1e9,
                AvailableCores.busyNanosOfChildren() / 1e9,
                AvailableCores.allocated(),
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
