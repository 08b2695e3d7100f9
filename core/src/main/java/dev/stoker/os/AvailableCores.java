package dev.stoker.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The cores that this process was given, which on a shared node are fewer than the node has. */
public final class AvailableCores {
    private static final int CHILD_USER = 16 - 3;
    private static final int CHILD_SYSTEM = 17 - 3;
    /** What the system counts in, on every processor. */
    private static final long TICK_NANOS = 10_000_000;

    private AvailableCores() {}

    /** By affinity and control group (which the JVM respects), and by Slurm's word where it gave one. */
    public static int allocated() {
        int cores = Runtime.getRuntime().availableProcessors();
        String slurm = System.getenv("SLURM_CPUS_PER_TASK");
        if (slurm != null && slurm.matches("[1-9][0-9]{0,5}")) {
            cores = Math.min(cores, Integer.parseInt(slurm));
        }
        return cores;
    }

    /** How long the processes that this one started, and has waited for, kept cores busy; with those that they did. */
    public static long busyNanosOfChildren() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            // The second field is the command's name in parentheses, and may hold anything; fields count from the
            // third.
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return (Long.parseLong(fields[CHILD_USER]) + Long.parseLong(fields[CHILD_SYSTEM])) * TICK_NANOS;
        } catch (IOException | RuntimeException e) {
            return 0;
        }
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
