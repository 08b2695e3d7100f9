package dev.stoker.cli.bench;

import dev.stoker.bench.peer.FeedContestant;
import dev.stoker.bench.peer.Job;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "contestant",
        hidden = true,
        description = "Run the feed as a contestant of `stoker bench peers`, which starts this command.")
final class ContestantCommand implements Callable<Integer> {
    @Parameters(paramLabel = "JOB", description = "raw or photos.")
    private String job;

    @Override
    public Integer call() throws IOException {
        try (var contestant = new FeedContestant(Job.valueOf(job.toUpperCase(Locale.ROOT)));
                var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                var out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8)) {
            contestant.serve(in, out);
        }
        return 0;
    }
}
