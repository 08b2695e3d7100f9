package dev.stoker.cli;

import dev.stoker.job.Team;
import dev.stoker.pack.BadFiles;
import dev.stoker.pack.Concatenated;
import dev.stoker.pack.Progress;
import dev.stoker.sample.Samples;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        description = {
            "Writes the samples of a container into one of another format, with all their fields.",
            "Several containers with the same fields and classes become one, one after another."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker convert train.tar -o train.arrow",
            "  stoker convert train.arrow -o train.stk",
            "  stoker convert part-0.stk part-1.stk -o train.h5"
        })
final class ConvertCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "IN", arity = "1..*", description = "A container of any format.")
    private List<Path> in = List.of();

    @Mixin
    private WriteOptions write = new WriteOptions();

    @Override
    public Integer call() {
        String words = in.stream()
                .map(path -> path.toAbsolutePath().normalize().toString())
                .collect(Collectors.joining(", "));
        Team team = write.join(words, in);
        return team.run(() -> convert(team));
    }

    private int convert(Team team) {
        var progress = new Progress();
        try (var _ = write.measure("convert", progress);
                var bar = ProgressBar.of(progress, team.leads());
                Samples samples = Concatenated.open(in)) {
            return write.run(spec, samples, progress, bar, BadFiles.refused(), team);
        }
    }
}
