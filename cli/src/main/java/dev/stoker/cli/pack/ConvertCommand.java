package dev.stoker.cli.pack;

import dev.stoker.cli.output.ProgressBar;
import dev.stoker.cli.output.Report;
import dev.stoker.concurrent.Progress;
import dev.stoker.job.Team;
import dev.stoker.sample.Samples;
import dev.stoker.transform.ConcatenatedSamples;
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
            "Convert a container to another format, with all fields that Stoker reads.",
            "Several containers with the same fields and classes are concatenated."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  stoker convert train.tar -o train.arrow",
            "  stoker convert train.arrow -o train.stk",
            "  stoker convert part-0.stk part-1.stk -o train.h5"
        })
public final class ConvertCommand implements Callable<Integer> {
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
        PackJob job = write.job();
        Team team = job.join(words, in);
        return team.run(() -> convert(job, team));
    }

    private int convert(PackJob job, Team team) {
        var progress = new Progress();
        try (var _ = write.measure("convert", job, progress);
                var bar = ProgressBar.of(progress, team.leads()).onInterrupt(job::giveUp);
                Samples samples = ConcatenatedSamples.open(in)) {
            Report report = new PackRun(job, team, null, progress, bar).of(samples);
            if (team.leads()) {
                report.print(spec.commandLine().getOut(), write.json());
            }
            return 0;
        }
    }
}
