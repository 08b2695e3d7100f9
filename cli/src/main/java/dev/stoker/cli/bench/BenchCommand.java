package dev.stoker.cli.bench;

import dev.stoker.bench.OpenBench;
import dev.stoker.bench.ReadBench;
import dev.stoker.cli.output.Human;
import dev.stoker.cli.output.Report;
import dev.stoker.container.Container;
import dev.stoker.sample.Field;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description = {
            "Measure which format and settings suit your data, this machine and its storage: pack samples into every format,"
                    + " read them through the feed, and write DIR/report.html with charts and conclusions, results.csv, and"
                    + " results.json with all figures.",
            "Settings that you don't give are compared. Each subcommand measures one thing."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker bench                                            all formats, all settings, a few minutes",
            "  stoker bench --data photos/ --format stk,arrow,tar,folder --shuffle",
            "  stoker bench --data-root /scratch/me --num-workers 1,2,4,8 --cold"
        },
        subcommands = {
            BenchCommand.Read.class,
            BenchCommand.Open.class,
            VerifyBenchCommand.class,
            PlanBenchCommand.class,
            FeedBenchCommand.class,
            ImageBenchCommand.class,
            PeersCommand.class,
            ContestantCommand.class
        })
public final class BenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private SweepOptions sweep;

    @Override
    public Integer call() {
        return sweep.run(spec);
    }

    /** The order of reading. */
    enum Order {
        shuffled,
        sequential
    }

    @Command(
            name = "read",
            description = "Compare reading all values through the Index with a bare copy of the same bytes.",
            footerHeading = "%nExamples:%n",
            footer = "  stoker bench read train.arrow --threads 2 --order shuffled --json")
    static final class Read implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "FILE", description = "A container of any format.")
        private Path file;

        @Option(names = "--threads", paramLabel = "N", description = "Reader threads (default: ${DEFAULT-VALUE}).")
        private int threads = 1;

        @Option(
                names = "--order",
                paramLabel = "ORDER",
                description = "Order of reading: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
        private Order order = Order.shuffled;

        @Option(names = "--field", paramLabel = "FIELD", description = "Field to read (default: ${DEFAULT-VALUE}).")
        private String field = Field.DATA;

        @Option(
                names = "--repeat",
                paramLabel = "N",
                description = "Number of passes; medians are reported (default: ${DEFAULT-VALUE}).")
        private int repeats = 9;

        @Option(
                names = "--seed",
                paramLabel = "SEED",
                description = "Seed of the shuffled order (default: ${DEFAULT-VALUE}).")
        private long seed = 1;

        @Option(names = "--json", description = "Print one JSON object.")
        private boolean json;

        @Override
        public Integer call() {
            try (Container container = Container.open(file)) {
                var settings = new ReadBench.Settings(threads, order == Order.shuffled, repeats, seed);
                ReadBench.Result result =
                        ReadBench.run(container, container.schema().place(field), settings);
                report(container, result).print(spec.commandLine().getOut(), json);
            }
            return 0;
        }

        private Report report(Container container, ReadBench.Result result) {
            return new Report()
                    .put("file", file.toString())
                    .put("format", container.format())
                    .put("samples", result.samples())
                    .put("bytes", result.bytes())
                    .put("threads", threads)
                    .put("order", order.name())
                    .put("repeats", repeats)
                    .put("samples_per_s", result.samplesPerSecond())
                    .put("bytes_per_s", result.bytesPerSecond())
                    .put("limit_samples_per_s", result.limitSamplesPerSecond())
                    .put("ratio", result.ratio())
                    .put("ratio_lowest", result.ratioLowest())
                    .put("ratio_highest", result.ratioHighest())
                    .line(String.format(
                            Locale.ROOT,
                            "%s: %s samples/s (%s/s), %.2f of a bare copy's %s samples/s (lowest %.2f, highest %.2f; %s,"
                                    + " %d thread%s, median of %d passes)",
                            file,
                            Human.rate(result.samplesPerSecond()),
                            Human.bytes(result.bytesPerSecond()),
                            result.ratio(),
                            Human.rate(result.limitSamplesPerSecond()),
                            result.ratioLowest(),
                            result.ratioHighest(),
                            order,
                            threads,
                            threads == 1 ? "" : "s",
                            repeats));
        }
    }

    @Command(
            name = "open",
            description = "Open a container and read one value; the time does not depend on the number of samples.",
            footerHeading = "%nExamples:%n",
            footer = "  stoker bench open many.stk --make --samples 10000000")
    static final class Open implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "FILE", description = "A container of any format.")
        private Path file;

        @Option(names = "--make", description = "First create FILE, with tiny samples.")
        private boolean make;

        @Option(
                names = "--samples",
                paramLabel = "N",
                description = "With --make: number of samples (default: ${DEFAULT-VALUE}).")
        private long samples = 10_000_000;

        @Option(names = "--json", description = "Print one JSON object.")
        private boolean json;

        @Override
        public Integer call() {
            if (make) {
                OpenBench.make(file, samples);
            }
            double milliseconds = OpenBench.milliseconds(file);
            new Report()
                    .put("file", file.toString())
                    .put("milliseconds", milliseconds)
                    .line(String.format(Locale.ROOT, "%s: opened in %.2f ms", file, milliseconds))
                    .print(spec.commandLine().getOut(), json);
            return 0;
        }
    }
}
