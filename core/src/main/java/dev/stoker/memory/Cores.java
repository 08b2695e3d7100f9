package dev.stoker.memory;

import java.time.Duration;

/** The cores that this process was given, which on a shared node are fewer than the node has. */
public final class Cores {
    private Cores() {}

    /** By affinity and control group (which the JVM respects), and by Slurm's word where it gave one. */
    public static int allocated() {
        int cores = Runtime.getRuntime().availableProcessors();
        String slurm = System.getenv("SLURM_CPUS_PER_TASK");
        if (slurm != null && slurm.matches("[1-9][0-9]{0,5}")) {
            cores = Math.min(cores, Integer.parseInt(slurm));
        }
        return cores;
    }

    /** How long this process has kept cores busy, all its threads together. */
    public static long busyNanos() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(Duration::toNanos)
                .orElse(0L);
    }
}
