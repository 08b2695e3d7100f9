package dev.stoker.stage;

import dev.stoker.StokerException;
import dev.stoker.os.FilesystemSpace;
import dev.stoker.stage.copy.CopyPlan;
import dev.stoker.stage.node.ControlGroup;
import dev.stoker.text.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Whether data fit, asked before a byte is copied. On a filesystem in memory what is written counts against the memory of
 * the job too: going over that limit ends the job, not the copy.
 */
public final class FreeSpace {
    /** One thing that limits how much can be written. */
    public record Limit(String what, long freeBytes) {}

    private final StagingPlace place;
    private final FilesystemSpace filesystem;
    private final List<Limit> limits = new ArrayList<>();

    public FreeSpace(StagingPlace place, Map<String, String> environment) {
        this.place = place;
        this.filesystem = FilesystemSpace.of(place.folder());
        limits.add(new Limit("space on " + place, filesystem.freeBytes()));
        if (place.isMemory()) {
            addAvailableMemory();
            limits.addAll(ControlGroup.limits());
            addSlurm(environment);
        }
    }

    private void addAvailableMemory() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
                if (line.startsWith("MemAvailable:")) {
                    limits.add(new Limit("memory available on the node", 1024 * number(line)));
                }
            }
        } catch (IOException e) {
            // A system that does not tell sets no limit here.
        }
    }

    /** Slurm counts in MiB, and names what was asked for: by node, or by core. */
    private void addSlurm(Map<String, String> environment) {
        long node = number(environment.getOrDefault("SLURM_MEM_PER_NODE", ""));
        long core = number(environment.getOrDefault("SLURM_MEM_PER_CPU", ""));
        long cores = number(environment.getOrDefault("SLURM_CPUS_ON_NODE", ""));
        long megabytes = node > 0 ? node : core * cores;
        if (megabytes > 0) {
            limits.add(new Limit("memory of the Slurm job on this node", megabytes << 20));
        }
    }

    private static long number(String text) {
        String digits = text.replaceAll("\\D", "");
        return digits.isEmpty() || digits.length() > 15 ? 0 : Long.parseLong(digits);
    }

    long blockBytes() {
        return Math.max(1, filesystem.blockBytes());
    }

    /** The one that leaves least. */
    public Limit tightest() {
        Limit least = limits.getFirst();
        for (Limit limit : limits) {
            if (limit.freeBytes < least.freeBytes) {
                least = limit;
            }
        }
        return least;
    }

    /** Refuses data that does not fit. */
    void require(CopyPlan.Need need, String source) {
        Limit least = tightest();
        if (need.bytes() > least.freeBytes) {
            throw new StokerException(
                    source,
                    "does not fit into " + place + ": it needs "
                            + Sizes.human(need.bytes()) + " (" + need.bytes() + " bytes), but only "
                            + Sizes.human(least.freeBytes) + " (" + least.what + ": " + least.freeBytes
                            + " bytes) is free; choose another place with --to or --via, or request more memory");
        }
        if (need.files() > filesystem.freeFiles()) {
            throw new StokerException(
                    source,
                    "does not fit into " + place + ": it needs " + need.files()
                            + " inodes, but only " + filesystem.freeFiles()
                            + " are free; stage a container instead of loose files, or choose another place");
        }
    }
}
