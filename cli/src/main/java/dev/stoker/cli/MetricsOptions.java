package dev.stoker.cli;

import dev.stoker.StokerException;
import dev.stoker.metric.Destination;
import dev.stoker.metric.Metrics;
import dev.stoker.metric.Registry;
import dev.stoker.pack.Ranks;
import dev.stoker.text.Printable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Where the metrics of a command go. */
final class MetricsOptions {
    static final String VARIABLE = "STOKER_METRICS";
    static final String EVERY_VARIABLE = "STOKER_METRICS_EVERY";

    @Option(
            names = "--metrics",
            paramLabel = "WHERE",
            description = {
                "prometheus://[HOST]:PORT (on 127.0.0.1 unless HOST is given; ranks of a node have PORT, PORT+1, ...),"
                        + " tensorboard:DIR or jsonl:FILE; may be repeated (default: what STOKER_METRICS says)."
            })
    private List<String> where = new ArrayList<>();

    @Option(
            names = "--metrics-every",
            paramLabel = "SECONDS",
            defaultValue = "${env:" + EVERY_VARIABLE + ":-10}",
            description = "How often files are written (default: STOKER_METRICS_EVERY, or 10).")
    private double everySeconds;

    private final Registry registry = new Registry();

    /** What the command counts with. */
    Registry registry() {
        return registry;
    }

    /** Begins to bring metrics to where they go; what cannot work is refused now. */
    Metrics start(String command, Ranks ranks) {
        String name = ranks.world() > 1 ? command + "-rank" + ranks.rank() : command;
        return start(
                command,
                name,
                destinations().stream()
                        .map(each -> each instanceof Destination.Prometheus page ? page.plus(ranks.localRank()) : each)
                        .toList());
    }

    private Metrics start(String command, String name, List<Destination> destinations) {
        return Metrics.start(
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
    List<Destination> given() {
        return where.stream().map(Destination::parse).toList();
    }

    double everySeconds() {
        if (!(everySeconds >= 1)) {
            throw new StokerException("--metrics-every takes at least 1 second, not " + everySeconds);
        }
        return everySeconds;
    }

    /** The same in words, for a process that is started in another folder. */
    String words() {
        return destinations().stream().map(Destination::toString).collect(Collectors.joining(","));
    }
}
