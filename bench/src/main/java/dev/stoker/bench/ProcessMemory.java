package dev.stoker.bench;

import dev.stoker.StokerException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this process takes of the machine's memory. */
public final class ProcessMemory {
    private ProcessMemory() {}

    /** Memory of this process that is no file: the heap, the JVM's own, and the buffers. */
    public static long anonymousBytes() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("RssAnon:")) {
                    return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new StokerException("/proc/self/status has no RssAnon; this measurement needs Linux");
    }
}
