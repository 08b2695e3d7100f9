package dev.stoker.cli;

import dev.stoker.bench.OpenBench;
import dev.stoker.bench.ReadBench;
import dev.stoker.format.Container;
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
            "Measures which format and which settings suit your data, this machine and its storage: packs samples into every"
                    + " format, reads them through the feed, and writes DIR/report.html with pictures and the answers in"
                    + " sentences, results.csv, and results.json with every figure.",
            "A setting that is not given is compared; the sub-commands measure one thing each."
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
final class BenchCommand implements Callable<Integer> {
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
            description = "Reads all values through the Index, and beside it a bare copy of the same bytes.",
            footerHeading = "%nExamples:%n",
            footer = "  stoker bench read train.arrow --threads 2 --order shuffled --json")
    static final class Read implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "FILE", description = "A container of any format.")
        private Path file;

        @Option(names = "--threads", paramLabel = "N", description = "Reading threads (default: ${DEFAULT-VALUE}).")
        private int threads = 1;

        @Option(names = "--order", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
        private Order order = Order.shuffled;

        @Option(names = "--field", description = "The field that is read (default: ${DEFAULT-VALUE}).")
        private String field = Field.DATA;

        @Option(
                names = "--repeat",
                paramLabel = "R",
                description = "Passes (default: ${DEFAULT-VALUE}); medians are shown.")
        private int repeats = 9;

        @Option(names = "--seed", paramLabel = "S", description = "Of the shuffled order (default: ${DEFAULT-VALUE}).")
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
            description = "Opens a container and reads one value: the time does not depend on the number of samples.",
            footerHeading = "%nExamples:%n",
            footer = "  stoker bench open many.stk --make --samples 10000000")
    static final class Open implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "FILE", description = "A container of any format.")
        private Path file;

        @Option(names = "--make", description = "First write FILE, with tiny samples.")
        private boolean make;

        @Option(
                names = "--samples",
                paramLabel = "N",
                description = "With --make: how many (default: ${DEFAULT-VALUE}).")
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
                    .line(String.format(Locale.ROOT, "%s: open after %.2f ms", file, milliseconds))
                    .print(spec.commandLine().getOut(), json);
            return 0;
        }
    }
}
