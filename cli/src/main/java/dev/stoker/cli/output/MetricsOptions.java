package dev.stoker.cli.output;

import dev.stoker.UsageException;
import dev.stoker.cli.help.Grouped;
import dev.stoker.cli.help.OptionGroup;
import dev.stoker.job.JobRank;
import dev.stoker.metric.Registry;
import dev.stoker.metric.export.Destination;
import dev.stoker.metric.export.MetricsExporter;
import dev.stoker.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Where the metrics of a command go. */
@Grouped(OptionGroup.METRICS)
public final class MetricsOptions {
    public static final String VARIABLE = "STOKER_METRICS";
    public static final String EVERY_VARIABLE = "STOKER_METRICS_EVERY";

    @Option(
            names = "--metrics",
            paramLabel = "WHERE",
            description = {
                "Export metrics to prometheus://[HOST]:PORT (HOST defaults to 127.0.0.1; the ranks of a node use PORT,"
                        + " PORT+1, ...), tensorboard:DIR or jsonl:FILE; repeatable (default: $STOKER_METRICS)."
            })
    private List<String> where = new ArrayList<>();

    @Option(
            names = "--metrics-every",
            paramLabel = "SECONDS",
            defaultValue = "${env:" + EVERY_VARIABLE + ":-10}",
            description = "Interval between exports to files (default: $STOKER_METRICS_EVERY, or 10).")
    private double everySeconds;

    private final Registry registry = new Registry();

    /** What the command counts with. */
    public Registry registry() {
        return registry;
    }

    /** Begins to bring metrics to where they go; what cannot work is refused now. */
    public MetricsExporter start(String command, JobRank ranks) {
        String name = ranks.world() > 1 ? command + "-rank" + ranks.rank() : command;
        return start(
                command,
                name,
                destinations().stream()
                        .map(each -> each instanceof Destination.Prometheus page ? page.plus(ranks.localRank()) : each)
                        .toList());
    }

    private MetricsExporter start(String command, String name, List<Destination> destinations) {
        return MetricsExporter.start(
                registry,
                command,
                name,
                destinations,
                everySeconds(),
                line -> System.err.println(Printable.line("stoker: " + line)));
    }

    /** Where the user wants metrics to go. */
    List<Destination> destinations() {
        return where.isEmpty()
                ? Destination.parseAll(Objects.requireNonNullElse(System.getenv(VARIABLE), ""))
                : where.stream()
                        .flatMap(word -> Destination.parseAll(word).stream())
                        .toList();
    }

    /** What the command line says alone: a reader process is told by its clients what the variable says. */
    public List<Destination> given() {
        return where.stream().map(Destination::parse).toList();
    }

    public double everySeconds() {
        if (!(everySeconds >= 1)) {
            throw new UsageException("--metrics-every must be at least 1 second, but is " + everySeconds);
        }
        return everySeconds;
    }

    /** The same in words, for a process that is started in another folder. */
    public String words() {
        return destinations().stream().map(Destination::toString).collect(Collectors.joining(","));
    }
}
