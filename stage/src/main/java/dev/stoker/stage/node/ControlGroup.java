package dev.stoker.stage.node;

import dev.stoker.stage.FreeSpace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory that the control groups of this process leave it, of version 2 and of version 1. Every group above counts:
 * a Slurm step lies in its job, and the job in the user's slice.
 */
public final class ControlGroup {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    /** Version 1 writes a number near 2^63 for no limit. */
    private static final long UNLIMITED = 1L << 60;

    /** Where one version keeps what. */
    private record Version(Path root, String limit, String usage, String cache) {}

    private static final Version ONE = new Version(
            ROOT.resolve("memory"), "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file");
    private static final Version TWO = new Version(ROOT, "memory.max", "memory.current", "inactive_file");

    private ControlGroup() {}

    public static List<FreeSpace.Limit> limits() {
        var limits = new ArrayList<FreeSpace.Limit>();
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
                String[] parts = line.split(":", 3); // number:controllers:path
                if (parts.length == 3 && parts[1].isEmpty()) {
                    add(limits, TWO, parts[2]);
                } else if (parts.length == 3 && List.of(parts[1].split(",")).contains("memory")) {
                    add(limits, ONE, parts[2]);
                }
            }
        } catch (IOException e) {
            // No control groups, no limit.
        }
        return limits;
    }

    private static void add(List<FreeSpace.Limit> limits, Version version, String group) {
        Path folder = version.root.resolve(group.substring(1)).normalize();
        // Inside a container the path may be the host's; then the root is all there is to see.
        for (Path at = Files.isDirectory(folder) ? folder : version.root;
                at != null && at.startsWith(version.root);
                at = at.getParent()) {
            long limit = number(at.resolve(version.limit));
            if (limit >= 0 && limit < UNLIMITED) {
                long used = Math.max(0, number(at.resolve(version.usage)) - cache(at, version));
                limits.add(new FreeSpace.Limit("memory limit of the control group", Math.max(0, limit - used)));
            }
        }
    }

    /** What the system takes back by itself when memory is wanted. */
    private static long cache(Path group, Version version) {
        try {
            for (String line : Files.readAllLines(group.resolve("memory.stat"))) {
                if (line.startsWith(version.cache + " ")) {
                    return Long.parseLong(line.substring(version.cache.length() + 1));
                }
            }
        } catch (IOException | NumberFormatException e) {
            // Not told: nothing is.
        }
        return 0;
    }

    private static long number(Path file) {
        try {
            return Long.parseLong(Files.readString(file).strip());
        } catch (IOException | NumberFormatException e) {
            return -1; // not there, or "max"
        }
    }
}
