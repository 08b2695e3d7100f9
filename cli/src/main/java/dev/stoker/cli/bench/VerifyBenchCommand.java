package dev.stoker.cli.bench;

import dev.stoker.bench.VerifyBench;
import dev.stoker.cli.output.Human;
import dev.stoker.cli.output.Report;
import dev.stoker.os.AvailableCores;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "verify",
        description = "Compare verifying a container with just reading the same file.",
        footerHeading = "%nExamples:%n",
        footer = {"  stoker bench verify train.arrow --json", "  stoker bench verify train.arrow --cold --repeat 3"})
final class VerifyBenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "A container that is a single file.")
    private Path file;

    @Option(names = "--threads", paramLabel = "N", description = "Number of threads (default: one per allocated core).")
    private int threads = AvailableCores.allocated();

    @Option(
            names = "--repeat",
            paramLabel = "N",
            description = "Number of turns; medians are reported (default: ${DEFAULT-VALUE}).")
    private int repeats = 7;

    @Option(names = "--cold", description = "Evict the file from the page cache before each pass.")
    private boolean cold;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        VerifyBench.Result result = VerifyBench.run(file, threads, repeats, cold);
        new Report()
                .put("file", file.toString())
                .put("bytes", result.bytes())
                .put("threads", threads)
                .put("cold", cold)
                .put("repeats", repeats)
                .put("bare_seconds", result.bareSeconds())
                .put("verify_seconds", result.verifySeconds())
                .put("ratio", result.ratio())
                .line(String.format(
                        Locale.ROOT,
                        "%s: verified at %s/s, %.2f of a bare read's %s/s (%s, %d threads, median of %d turns)",
                        file,
                        Human.bytes(result.bytes() / result.verifySeconds()),
                        result.ratio(),
                        Human.bytes(result.bytes() / result.bareSeconds()),
                        cold ? "cold" : "warm",
                        threads,
                        repeats))
                .print(spec.commandLine().getOut(), json);
        return 0;
    }
}
