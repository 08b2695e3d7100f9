package dev.stoker.job;

import dev.stoker.PublicApi;
import dev.stoker.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which process of a job this is. Of several launchers the innermost is right: torchrun is started inside mpirun or
 * srun, and mpirun inside a Slurm job, and each leaves the outer one's variables in place. Hence the precedence: values
 * that are given, torchrun, Open MPI, PMI (MPICH, Intel MPI), Slurm; without any, the only process there is.
 *
 * <p>Slurm sets its variables also for the batch script and for {@code salloc}'s shell, which are one process however
 * many tasks the job has; only inside a step (srun) do they count.
 *
 * @param rank the number of this process among all
 * @param world how many processes there are
 * @param localRank the number of this process among those on its node
 * @param source where the values come from, for messages
 */
@PublicApi
public record JobRank(int rank, int world, int localRank, String source) {
    private record Launcher(String name, String rank, String world, String localRank) {}

    private static final List<Launcher> LAUNCHERS = List.of(
            new Launcher("torchrun", "RANK", "WORLD_SIZE", "LOCAL_RANK"),
            new Launcher("Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK"),
            new Launcher("PMI", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"),
            new Launcher("Slurm", "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID"));

    public JobRank {
        if (world < 1) {
            throw new UsageException(source + ": world should be at least 1 but is " + world);
        }
        if (rank < 0 || rank >= world) {
            throw new UsageException(
                    source + ": rank should be at least 0 and less than the world, " + world + ", but is " + rank);
        }
        if (localRank < 0 || localRank >= world) {
            throw new UsageException(source + ": the rank on the node should be at least 0 and less than the world, "
                    + world + ", but is " + localRank);
        }
    }

    /** What is given wins, and is given whole or not at all; otherwise the environment says. */
    public static JobRank of(@Nullable Integer rank, @Nullable Integer world, Map<String, String> environment) {
        if (rank != null && world != null) {
            return new JobRank(rank, world, 0, "--rank and --world");
        }
        if (rank != null || world != null) {
            throw new UsageException(
                    (rank != null ? "--rank is given without --world" : "--world is given without --rank")
                            + "; give both, or neither to take them from the environment");
        }
        return fromEnvironment(environment);
    }

    public static JobRank fromEnvironment(Map<String, String> environment) {
        for (Launcher launcher : LAUNCHERS) {
            if (environment.containsKey(launcher.rank) && isInside(launcher, environment)) {
                return from(launcher, environment);
            }
        }
        return new JobRank(0, 1, 0, "no launcher");
    }

    /**
     * The scheduler's name of the job, the same in all its ranks and in no other job; empty if nothing tells. A step of
     * Slurm counts only where Slurm itself starts the ranks: mpirun's on the first node are in none.
     */
    public String job(Map<String, String> environment) {
        var parts = new ArrayList<String>();
        add(parts, "Slurm job ", environment.get("SLURM_JOB_ID"));
        add(parts, "restart ", environment.get("SLURM_RESTART_COUNT"));
        if (source.startsWith("Slurm")) {
            add(parts, "step ", environment.get("SLURM_STEP_ID"));
        } else if (source.startsWith("Open MPI")) {
            add(parts, "Open MPI job ", environment.get("PMIX_NAMESPACE"));
        } else if (source.startsWith("torchrun")) {
            add(parts, "torchrun ", environment.get("TORCHELASTIC_RUN_ID"));
            add(parts, "at ", environment.get("MASTER_ADDR"));
            add(parts, "port ", environment.get("MASTER_PORT"));
        }
        return String.join(" ", parts);
    }

    private static void add(List<String> parts, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            parts.add(name + value);
        }
    }

    private static boolean isInside(Launcher launcher, Map<String, String> environment) {
        return !launcher.name.equals("Slurm") || environment.containsKey("SLURM_STEP_ID");
    }

    private static JobRank from(Launcher launcher, Map<String, String> environment) {
        String source = launcher.name + " (" + launcher.rank + ", " + launcher.world + ")";
        if (!environment.containsKey(launcher.world)) {
            throw new UsageException(source + ": " + launcher.rank + " is set but " + launcher.world
                    + " is not; set both, unset both, or give --rank and --world");
        }
        int localRank = environment.containsKey(launcher.localRank) ? number(environment, launcher.localRank) : 0;
        return new JobRank(number(environment, launcher.rank), number(environment, launcher.world), localRank, source);
    }

    private static int number(Map<String, String> environment, String variable) {
        String value = environment.getOrDefault(variable, "");
        try {
            return Integer.parseInt(value.strip());
        } catch (NumberFormatException e) {
            throw new UsageException(
                    "the environment variable " + variable + " should be a whole number but is \"" + value + '"', e);
        }
    }
}
