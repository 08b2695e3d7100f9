package dev.stoker.fuzz;

import dev.stoker.testkit.Workshop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder of this process, in memory where there is such a filesystem; it is gone when the process is. */
public final class Sandbox {
    private static final Path MEMORY = Path.of("/dev/shm");

    private Sandbox() {}

    public static Path make(String name) {
        try {
            Path parent = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
            Path folder = Files.createTempDirectory(parent, "stoker-fuzz-" + name);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> Workshop.delete(folder)));
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
