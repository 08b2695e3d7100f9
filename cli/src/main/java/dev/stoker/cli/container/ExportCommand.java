package dev.stoker.cli.container;

import dev.stoker.cli.output.Human;
import dev.stoker.cli.output.ProgressBar;
import dev.stoker.cli.output.Report;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.os.AvailableCores;
import dev.stoker.write.Packer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description = "Restore the original files of a container, byte for byte, without an Index.",
        footerHeading = "%nExamples:%n",
        footer = "  stoker export train.arrow -o photos/")
public final class ExportCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "A container of any format.")
    private Path file;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            required = true,
            description = "A new folder.")
    private Path output;

    @Option(names = "--force", description = "Replace the folder and everything in it if it exists.")
    private boolean force;

    @Option(names = "--workers", paramLabel = "N", description = "Number of threads (default: one per allocated core).")
    private int workers = AvailableCores.allocated();

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Override
    public Integer call() {
        var progress = new Progress();
        Packer.refuseSources(Formats.named("folder"), output, FormatOptions.NONE, List.of(file));
        try (Container container = Container.openToCopy(file);
                var bar = ProgressBar.of(progress)) {
            var how = new Packer.Settings(FormatOptions.NONE, workers, false, force, false);
            Packer.Result result = new Packer(container, Formats.named("folder"), output, how, progress)
                    .withoutIndex()
                    .run();
            bar.close();
            new Report()
                    .put("output", output.toString())
                    .put("files", result.samples())
                    .put("bytes", result.bytes())
                    .line(output + ": " + Human.count(result.samples(), "file") + ", " + Human.bytes(result.bytes()))
                    .print(spec.commandLine().getOut(), json);
        }
        return 0;
    }
}
