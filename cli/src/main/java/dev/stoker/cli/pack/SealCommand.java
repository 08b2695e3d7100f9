package dev.stoker.cli.pack;

import dev.stoker.cli.output.Human;
import dev.stoker.cli.output.Report;
import dev.stoker.collect.CollectSealer;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description = {
            "Finish a container that the processes of a job collected samples into.",
            "",
            "Until then it is called FILE.partial. Every process must have closed it, unless you give --salvage."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker seal predictions.arrow",
            "  stoker seal predictions.stk --order index",
            "  stoker seal predictions.arrow --salvage      some processes were killed"
        })
public final class SealCommand implements Callable<Integer> {
    /** The order that the samples get. */
    enum Order {
        rank,
        index
    }

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The final name of the container.")
    private Path file;

    @Option(
            names = "--salvage",
            description =
                    "Finish it with the samples that were written, copied to a new file, and list what is missing.")
    private boolean salvage;

    @Option(
            names = "--order",
            description =
                    "Order of the samples: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}): by rank and time, or by the"
                            + " index that each sample was given (.stk).")
    private Order order = Order.rank;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        CollectSealer.Result result = CollectSealer.run(
                file, order == Order.rank ? CollectSealer.Order.RANK : CollectSealer.Order.INDEX, salvage);
        var report = new Report()
                .put("file", file.toString())
                .put("samples", result.samples())
                .put("bytes", result.bytes())
                .put("missing", result.missing())
                .line(file + ": " + Human.count(result.samples(), "sample") + ", " + Human.bytes(result.bytes()));
        result.missing().forEach(line -> report.line("missing: " + line));
        report.print(spec.commandLine().getOut(), json);
        return 0;
    }
}
