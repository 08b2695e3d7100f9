package dev.stoker.bench.sweep;

import dev.stoker.os.AvailableCores;
import dev.stoker.os.FilesystemSpace;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where something was measured. Names neither the host nor the user, so that it can be shown.
 *
 * @param cores of the allocation
 * @param memoryBytes of the allocation
 * @param filesystem the kind of the one that holds the files
 */
public record Machine(
        int cores, String processor, long memoryBytes, String kernel, String java, String filesystem, long freeBytes) {
    private static final String UNKNOWN = "unknown";

    /** This machine, and the storage that holds a folder. */
    public static Machine of(Path folder) {
        return new Machine(
                AvailableCores.allocated(),
                valueOf("/proc/cpuinfo", "model name"),
                memory(),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
                filesystem(folder),
                FilesystemSpace.of(folder).freeBytes());
    }

    private static long memory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : 0;
    }

    private static String filesystem(Path folder) {
        try {
            return Files.getFileStore(folder).type();
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    private static String valueOf(String file, String name) {
        try (var lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(UNKNOWN);
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /** As programs read it. */
    public Map<String, @Nullable Object> toJson() {
        var values = new LinkedHashMap<String, @Nullable Object>();
        values.put("cores", cores);
        values.put("processor", processor);
        values.put("memory_bytes", memoryBytes);
        values.put("kernel", kernel);
        values.put("java", java);
        values.put("filesystem", filesystem);
        values.put("free_bytes", freeBytes);
        return values;
    }
}
