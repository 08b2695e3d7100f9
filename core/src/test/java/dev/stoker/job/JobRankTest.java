package dev.stoker.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobRankTest {
    private static final Map<String, String> SLURM =
            Map.of("SLURM_PROCID", "1", "SLURM_NTASKS", "2", "SLURM_LOCALID", "0", "SLURM_STEP_ID", "0");
    private static final Map<String, String> PMI = Map.of("PMI_RANK", "2", "PMI_SIZE", "5", "MPI_LOCALRANKID", "1");
    private static final Map<String, String> OPEN_MPI =
            Map.of("OMPI_COMM_WORLD_RANK", "3", "OMPI_COMM_WORLD_SIZE", "8", "OMPI_COMM_WORLD_LOCAL_RANK", "3");
    private static final Map<String, String> TORCHRUN = Map.of("RANK", "9", "WORLD_SIZE", "16", "LOCAL_RANK", "1");

    @Test
    void theInnermostLauncherWins() {
        Map<String, String> environment = new HashMap<>();
        assertRanks(environment, 0, 1, 0);
        environment.putAll(SLURM);
        assertRanks(environment, 1, 2, 0);
        environment.putAll(PMI);
        assertRanks(environment, 2, 5, 1);
        environment.putAll(OPEN_MPI);
        assertRanks(environment, 3, 8, 3);
        environment.putAll(TORCHRUN);
        assertRanks(environment, 9, 16, 1);
        assertThat(JobRank.of(4, 6, environment)).isEqualTo(new JobRank(4, 6, 0, "--rank and --world"));
    }

    private static void assertRanks(Map<String, String> environment, int rank, int world, int localRank) {
        JobRank ranks = JobRank.of(null, null, environment);
        assertThat(ranks).isEqualTo(new JobRank(rank, world, localRank, ranks.source()));
    }

    @Test
    void refusesWhatCannotBe() {
        assertRefused(Map.of("RANK", "1"), "torchrun (RANK, WORLD_SIZE): RANK is set but WORLD_SIZE is not");
        assertRefused(
                Map.of("RANK", "4", "WORLD_SIZE", "4"),
                "rank should be at least 0 and less than the world, 4, but is 4");
        assertRefused(Map.of("PMI_RANK", "-1", "PMI_SIZE", "4"), "but is -1");
        assertRefused(Map.of("PMI_RANK", "0", "PMI_SIZE", "0"), "world should be at least 1 but is 0");
        assertRefused(
                Map.of("SLURM_PROCID", "x", "SLURM_NTASKS", "2", "SLURM_STEP_ID", "0"),
                "SLURM_PROCID should be a whole number but is \"x\"");
        assertRefused(Map.of("RANK", "0", "WORLD_SIZE", "2", "LOCAL_RANK", "2"), "the rank on the node");
        assertThatThrownBy(() -> JobRank.of(1, null, Map.of())).hasMessageContaining("--rank is given without --world");
        assertThatThrownBy(() -> JobRank.of(null, 1, Map.of())).hasMessageContaining("--world is given without --rank");
    }

    private static void assertRefused(Map<String, String> environment, String message) {
        assertThatThrownBy(() -> JobRank.fromEnvironment(environment))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining(message);
    }
}
