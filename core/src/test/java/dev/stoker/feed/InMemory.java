package dev.stoker.feed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Temporary directories in memory where there is such a place: thousands of tiny synced files are slow on a disk. */
public final class InMemory implements TempDirFactory {
    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
        Path memory = Path.of("/dev/shm");
        return Files.isWritable(memory)
                ? Files.createTempDirectory(memory, "stoker")
                : Files.createTempDirectory("stoker");
    }
}
