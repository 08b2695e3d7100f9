package dev.stoker.cli.bench;

import dev.stoker.bench.PlanBench;
import dev.stoker.cli.output.Human;
import dev.stoker.cli.output.Report;
import dev.stoker.format.Formats;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "plan",
        description = "Plan a container of many samples and divide it into shares, as every rank of a job does.",
        footerHeading = "%nExamples:%n",
        footer = "  stoker bench plan --samples 10000000 --ranks 64 --format arrow")
final class PlanBenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--samples", paramLabel = "N", description = "Number of samples (default: ${DEFAULT-VALUE}).")
    private long samples = 10_000_000;

    @Option(names = "--ranks", paramLabel = "N", description = "Number of ranks (default: ${DEFAULT-VALUE}).")
    private int ranks = 64;

    @Option(names = "--format", paramLabel = "FORMAT", description = "Format to plan (default: ${DEFAULT-VALUE}).")
    private String format = "stk";

    @Option(names = "--seed", paramLabel = "SEED", description = "Seed of the sizes (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        PlanBench.Result result = PlanBench.run(Formats.named(format), samples, ranks, seed);
        new Report()
                .put("format", format)
                .put("samples", samples)
                .put("ranks", ranks)
                .put("seconds", result.seconds())
                .put("megabytes", result.megabytes())
                .put("runs", result.runs())
                .put("bytes", result.bytes())
                .put("smallest_share", result.smallest())
                .put("largest_share", result.largest())
                .line(String.format(
                        Locale.ROOT,
                        "%s: %s samples planned and divided among %d ranks in %.2f s, using at most %.0f MB; shares of %s to %s",
                        format,
                        Human.count(samples),
                        ranks,
                        result.seconds(),
                        result.megabytes(),
                        Human.bytes(result.smallest()),
                        Human.bytes(result.largest())))
                .print(spec.commandLine().getOut(), json);
        return 0;
    }
}
