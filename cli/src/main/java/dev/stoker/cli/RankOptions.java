package dev.stoker.cli;

import dev.stoker.job.Job;
import dev.stoker.job.JobRequest;
import dev.stoker.job.Team;
import dev.stoker.memory.Found;
import dev.stoker.pack.Ranks;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which rank of a job a process is that writes a container together with others. */
final class RankOptions {
    @Option(
            names = "--rank",
            paramLabel = "R",
            description =
                    "This process among those that write OUT together, from 0; else srun, mpirun or torchrun say.")
    private @Nullable Integer rank;

    @Option(names = "--world", paramLabel = "W", description = "How many processes write OUT together.")
    private @Nullable Integer world;

    @Option(
            names = "--rank-timeout",
            paramLabel = "SECONDS",
            description = "How long a rank may be silent before the others give up (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds = 120;

    Ranks ranks(Map<String, String> environment) {
        return Ranks.of(rank, world, environment);
    }

    /**
     * Joins the job, if there is one.
     *
     * @param work what this rank was given, in words
     * @param refuseExisting throws if the output is there, or a part of it, and no job is making it
     */
    Team join(
            Path output,
            Map<String, String> environment,
            String work,
            boolean resume,
            boolean force,
            Runnable refuseExisting) {
        if (timeoutSeconds < 2) {
            throw new dev.stoker.StokerException("--rank-timeout takes at least 2 seconds, not " + timeoutSeconds);
        }
        Ranks ranks = ranks(environment);
        var request = new JobRequest(
                output,
                ranks.rank(),
                ranks.world(),
                ranks.job(environment),
                work,
                resume,
                force,
                Duration.ofSeconds(timeoutSeconds));
        if (!Found.exists(Job.folder(output))) {
            refuseExisting.run();
        } else if (ranks.world() == 1) {
            Job.clear(request);
        }
        return ranks.world() == 1 ? Team.ALONE : Job.join(request);
    }
}
