package dev.stoker.bench.advise;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A folder of the user's own that is deleted when it is closed, also when the process is asked to end before. */
final class ScratchFolder implements AutoCloseable {
    private final Path path;
    private final Thread hook;

    private ScratchFolder(Path path) {
        this.path = path;
        this.hook = new Thread(this::delete);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    static ScratchFolder create(Path below) throws IOException {
        return new ScratchFolder(Files.createTempDirectory(below, "stoker-advise-"));
    }

    Path path() {
        return path;
    }

    private void delete() {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            // What stays behind is small, and in the folder for temporary files.
        }
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            return; // the hook is running
        }
        delete();
    }
}
