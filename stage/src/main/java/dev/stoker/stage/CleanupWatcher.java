package dev.stoker.stage;

import dev.stoker.StokerException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A small process in a session of its own that waits for the end of another, by its lock, and cleans up if that could
 * not. It is a shell script: it costs a megabyte, and nothing while it waits.
 */
final class CleanupWatcher {
    private static final int START_SECONDS = 10;

    private CleanupWatcher() {}

    static void start(FolderUser user) {
        var builder = new ProcessBuilder(
                "setsid",
                "--fork",
                "sh",
                "-c",
                script(),
                "stoker-watcher",
                user.folder().path().toString(),
                user.file().getFileName().toString());
        // It must keep no file, folder or pipe of its user's open.
        builder.directory(Path.of("/").toFile());
        builder.redirectInput(Path.of("/dev/null").toFile());
        builder.redirectOutput(Redirect.DISCARD);
        builder.redirectError(Redirect.DISCARD);
        try {
            Process process = builder.start();
            if (!process.waitFor(START_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new StokerException("the process that cleans up after a kill cannot be started: setsid failed");
            }
        } catch (IOException e) {
            throw new StokerException(
                    "the process that cleans up after a kill cannot be started: " + e.getMessage()
                            + "; the commands setsid and flock (util-linux) are needed",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StokerException("interrupted", e);
        }
    }

    private static String script() {
        try (InputStream in = Objects.requireNonNull(CleanupWatcher.class.getResourceAsStream("watcher.sh"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
