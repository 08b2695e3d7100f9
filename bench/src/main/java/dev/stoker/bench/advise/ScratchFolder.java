package dev.stoker.bench.advise;

import dev.stoker.bench.Leftovers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder of the user's own that is deleted when it is closed, also when the process is asked to end before. */
final class ScratchFolder implements AutoCloseable {
    private final Path path;
    private final Thread hook;

    private ScratchFolder(Path path) {
        this.path = path;
        this.hook = new Thread(() -> Leftovers.delete(path));
        Runtime.getRuntime().addShutdownHook(hook);
    }

    static ScratchFolder create(Path below) throws IOException {
        return new ScratchFolder(Files.createTempDirectory(below, "stoker-advise-"));
    }

    Path path() {
        return path;
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // the hook is running
        }
        Leftovers.delete(path);
    }
}
