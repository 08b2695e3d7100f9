package dev.stoker.stage;

import dev.stoker.StokerException;
import dev.stoker.os.SharedMemory;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Starts the process that serves a mount: this program once more, in a session of its own, with no file, folder or pipe
 * of whoever started it.
 */
final class MountProcess {
    private static final String MAIN = "dev.stoker.cli.Main";
    private static final int LOOK_MILLIS = 20;

    private MountProcess() {}

    static void start(Path container, Path point) {
        // Memory without a name: nobody can put another file in its place.
        try (var memory = new SharedMemory("stoker-mount", 1)) {
            Path said = Path.of("/proc/self/fd/" + memory.file());
            Process process =
                    builder(container, point).redirectError(said.toFile()).start();
            while (!MountTable.isMounted(point) || !MountTable.isAlive(point)) {
                if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                    throw new StokerException(failure(container, Files.readString(said)));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StokerException("interrupted", e);
        } catch (IOException e) {
            throw new StokerException(container, "cannot be mounted: " + e.getMessage(), e);
        }
    }

    private static String failure(Path container, String said) {
        String reason = said.strip();
        return reason.startsWith("stoker: ")
                ? reason.substring("stoker: ".length())
                : "[" + container + "] cannot be mounted: " + reason;
    }

    private static ProcessBuilder builder(Path container, Path point) throws IOException {
        var command = new ArrayList<String>(List.of("setsid"));
        command.addAll(self());
        command.addAll(List.of("mount", "--foreground", "--until-unmounted"));
        command.add(container.toAbsolutePath().toString());
        command.add(point.toAbsolutePath().toString());
        return new ProcessBuilder(command)
                .directory(Path.of("/").toFile())
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(Redirect.DISCARD);
    }

    /** How this program was started, up to its main class. */
    private static List<String> self() throws IOException {
        String line = Files.readString(Path.of("/proc/self/cmdline"), StandardCharsets.UTF_8);
        var words = new ArrayList<String>();
        for (String word : line.split("\0")) {
            words.add(word);
            if (word.equals(MAIN)) {
                return words;
            }
        }
        // Inside another program, as a test is: its class path has all that is needed.
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                MAIN);
    }
}
