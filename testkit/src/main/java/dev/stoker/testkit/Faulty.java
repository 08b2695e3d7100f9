package dev.stoker.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
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
        return start(Path.of("/dev/null"), on, fault, main, arguments);
    }

    private static Process start(Path log, Path on, String fault, Class<?> main, Object... arguments) {
        var command = new ArrayList<>(List.of("strace", "-f", "-q", "-o", log.toString()));
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

    /**
     * A program that stands still at the entry of a system call. What it says goes nowhere: let it write to a file.
     *
     * @param strace whose end lets it run
     */
    public record Held(Process strace, ProcessHandle program) {
        /** Lets the call happen, and waits until the program has ended. */
        public void release() {
            strace.destroyForcibly();
            program.onExit().orTimeout(SECONDS, TimeUnit.SECONDS).join();
        }
    }

    /**
     * Starts a class with a {@code main}, and waits until it stands still.
     *
     * @param on the file whose calls count
     * @param call which call it stands still at, such as {@code pwrite64}
     * @param count at the how manieth of these
     * @param log a file that is written for this
     */
    public static Held hold(Path on, String call, int count, Path log, Class<?> main, Object... arguments) {
        String delay = call + ":delay_enter=" + TimeUnit.SECONDS.toMicros(SECONDS) + ":when=" + count;
        Process strace = start(log, on, delay, main, arguments);
        try {
            for (int tries = 0; tries < SECONDS * 100; tries++) {
                // strace writes the beginning of the line when the call is entered, and the rest when it is done.
                String said = Files.exists(log) ? Files.readString(log) : "";
                if (said.split(" " + call + "\\(", -1).length > count && !said.endsWith("\n")) {
                    return new Held(strace, strace.descendants().findFirst().orElseThrow());
                }
                if (!strace.isAlive()) {
                    break;
                }
                Thread.sleep(10);
            }
            strace.descendants().forEach(ProcessHandle::destroyForcibly);
            strace.destroyForcibly();
            throw new AssertionError("it did not come to call " + count + " of " + call + ": "
                    + new String(strace.getErrorStream().readAllBytes(), UTF_8) + Files.readString(log));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
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
