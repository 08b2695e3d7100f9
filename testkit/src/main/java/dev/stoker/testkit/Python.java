package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A Python with the libraries of one requirements file, for tests that let other software read what Stoker wrote. Where
 * there is no Python, or its packages cannot be had, {@link #require} skips the test and says why.
 */
public final class Python {
    private static final Map<String, Result> ENVIRONMENTS = new ConcurrentHashMap<>();
    private static final int ENVIRONMENT_SECONDS = 900;
    private static final int SCRIPT_SECONDS = 900;

    private final Path interpreter;

    private Python(Path interpreter) {
        this.interpreter = interpreter;
    }

    /** What a program printed and how it ended. */
    public record Result(int exitCode, String out, String err) {}

    /**
     * The Python for a requirements file.
     * Makes its virtual environment at first use.
     *
     * @param requirements the file's path relative to the root, such as {@code testkit/python/arrow.txt}
     */
    public static Python require(String requirements) {
        Result made = ENVIRONMENTS.computeIfAbsent(requirements, Python::makeEnvironment);
        assumeTrue(made.exitCode == 0, () -> "no Python for " + requirements + ": " + made.err.strip());
        return new Python(Path.of(made.out.strip()));
    }

    public Path interpreter() {
        return interpreter;
    }

    /** Runs a script text with arguments ({@code sys.argv[1:]}), whatever its end. */
    public Result run(String script, Object... arguments) {
        List<String> command = new ArrayList<>(List.of(interpreter.toString(), "-X", "utf8", "-c", script));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return run(command, SCRIPT_SECONDS);
    }

    /** Runs a script text that has to succeed, and returns what it printed. */
    public String output(String script, Object... arguments) {
        Result result = run(script, arguments);
        assertThat(result.exitCode)
                .as("exit code of Python; it says: %s", result.err)
                .isZero();
        return result.out;
    }

    private static Result makeEnvironment(String requirements) {
        Path root = Path.of(Objects.requireNonNull(System.getProperty("stoker.root"), "stoker.root, which Maven sets"));
        return run(
                List.of(
                        root.resolve("tools/python-env").toString(),
                        root.resolve(requirements).toString()),
                ENVIRONMENT_SECONDS);
    }

    /** Output goes through files, not pipes: a program that is killed may leave children that hold a pipe open. */
    private static Result run(List<String> command, int seconds) {
        try {
            Path out = Files.createTempFile("stoker-python", ".out");
            Path err = Files.createTempFile("stoker-python", ".err");
            try {
                return run(command, seconds, out, err);
            } finally {
                Files.delete(out);
                Files.delete(err);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + command, e);
        }
    }

    private static Result run(List<String> command, int seconds, Path out, Path err)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        process.getOutputStream().close();
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            return new Result(-1, "", "%s did not end within %d s".formatted(command.getFirst(), seconds));
        }
        return new Result(process.exitValue(), text(out), text(err));
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }
}
