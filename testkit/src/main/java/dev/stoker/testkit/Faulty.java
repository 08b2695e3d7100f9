package dev.stoker.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program of this class path whose system calls fail or dawdle as they are told to, by {@code strace}. Where
 * there is none, or it may not trace, {@link #require} skips the test and says why.
 */
public final class Faulty {
    private static final int SECONDS = 120;

    private Faulty() {}

    /** How a program ended; {@code said} is its standard error. */
    public record End(int code, String told, String said) {}

    /** Skips the test where system calls cannot be disturbed. */
    public static void require() {
        String reason;
        try {
            Process process = new ProcessBuilder("strace", "-f", "-o", "/dev/null", "true")
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
            reason = process.waitFor() == 0 ? "" : said;
        } catch (IOException e) {
            reason = "it is not installed";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        String why = reason;
        assumeTrue(why.isEmpty(), () -> "strace cannot disturb system calls here: " + why);
    }

    /**
     * Starts a class with a {@code main}; its output comes through pipes.
     *
     * @param on the file or folder whose calls are disturbed
     * @param fault what strace does to them, such as {@code getdents64:error=EIO:when=2}
     */
    public static Process start(Path on, String fault, Class<?> main, Object... arguments) {
        var command = new ArrayList<>(List.of("strace", "-f", "-q", "-o", "/dev/null"));
        command.addAll(List.of("-P", on.toString(), "-e", "inject=" + fault));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        try {
            return new ProcessBuilder(command).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a class with a {@code main} to its end; it says little enough for a pipe to hold. */
    public static End run(Path on, String fault, Class<?> main, Object... arguments) {
        return end(start(on, fault, main, arguments));
    }

    /** Waits for a program that says little enough for a pipe to hold. */
    public static End end(Process process) {
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError("it did not end within " + SECONDS + " s");
            }
            return new End(
                    process.exitValue(),
                    new String(process.getInputStream().readAllBytes(), UTF_8),
                    new String(process.getErrorStream().readAllBytes(), UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
