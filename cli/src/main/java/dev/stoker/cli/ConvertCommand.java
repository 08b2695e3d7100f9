package dev.stoker.cli;

import dev.stoker.format.Container;
import dev.stoker.job.Team;
import dev.stoker.pack.BadFiles;
import dev.stoker.pack.Progress;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description = "Writes the samples of a container into one of another format, with all their fields.",
        footerHeading = "%nExamples:%n",
        footer = {"  stoker convert train.tar -o train.arrow", "  stoker convert train.arrow -o train.stk"})
final class ConvertCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "IN", description = "A container of any format.")
    private Path in;

    @Mixin
    private WriteOptions write = new WriteOptions();

    @Override
    public Integer call() {
        Team team = write.join(in.toAbsolutePath().normalize().toString());
        return team.run(() -> convert(team));
    }

    private int convert(Team team) {
        var progress = new Progress();
        try (var bar = ProgressBar.of(progress, team.leads());
                Container container = Container.open(in)) {
            return write.run(spec, container, progress, bar, BadFiles.refused(), team);
        }
    }
}
