package dev.stoker.cli.pack;

import dev.stoker.UsageException;
import dev.stoker.cli.help.Grouped;
import dev.stoker.cli.help.OptionGroup;
import dev.stoker.job.JobRank;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which rank of a job a process is that writes a container together with others. */
@Grouped(OptionGroup.RANKS)
final class RankOptions {
    @Option(
            names = "--rank",
            paramLabel = "RANK",
            description = "This process's rank among those that write OUT (default: set by srun, mpirun or torchrun).")
    private @Nullable Integer rank;

    @Option(
            names = "--world",
            paramLabel = "WORLD",
            description = "Number of processes that write OUT (default: set by the launcher).")
    private @Nullable Integer world;

    @Option(
            names = "--rank-timeout",
            paramLabel = "SECONDS",
            description = "Give up when a rank is silent for this long (default: ${DEFAULT-VALUE}).")
    private int timeoutSeconds = 120;

    JobRank rank(Map<String, String> environment) {
        return JobRank.of(rank, world, environment);
    }

    Duration timeout() {
        if (timeoutSeconds < 2) {
            throw new UsageException("--rank-timeout takes at least 2 seconds, not " + timeoutSeconds);
        }
        return Duration.ofSeconds(timeoutSeconds);
    }
}
