package dev.stoker.cli;

import dev.stoker.format.Container;
import dev.stoker.format.Formats;
import dev.stoker.format.Options;
import dev.stoker.memory.Cores;
import dev.stoker.pack.Packer;
import dev.stoker.pack.Progress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description = "Writes the loose files again, byte for byte, and only those.",
        footerHeading = "%nExamples:%n",
        footer = "  stoker export train.arrow -o photos/")
final class ExportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "A container of any format.")
    private Path file;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            required = true,
            description = "A folder that is not there yet.")
    private Path output;

    @Option(names = "--force", description = "Replace the folder if it is there, with all that is in it.")
    private boolean force;

    @Option(names = "--workers", paramLabel = "N", description = "Threads (default: the cores of the allocation).")
    private int workers = Cores.allocated();

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        var progress = new Progress();
        Packer.refuseSources(Formats.named("folder"), output, Options.NONE, List.of(file));
        try (Container container = Container.openToCopy(file);
                var bar = ProgressBar.of(progress)) {
            var how = new Packer.Settings(Options.NONE, workers, false, force, false);
            Packer.Result result = new Packer(container, Formats.named("folder"), output, how, progress)
                    .withoutIndex()
                    .run();
            bar.close();
            new Report()
                    .put("output", output.toString())
                    .put("files", result.samples())
                    .put("bytes", result.bytes())
                    .line(output + ": " + Human.count(result.samples()) + " files, " + Human.bytes(result.bytes()))
                    .print(spec.commandLine().getOut(), json);
        }
        return 0;
    }
}
