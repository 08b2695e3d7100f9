package dev.stoker.formats;

import dev.stoker.testkit.Python;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs scripts of {@code formats/src/test/python} with the libraries of one of the requirements files there.
 *
 * @param requirements the file's name
 */
public record Scripts(String requirements) {
    private static final String FOLDER = "formats/src/test/python/";

    /** Runs a script and returns the lines that it prints. */
    public String[] run(String script, Object... arguments) {
        return runText(text(script), arguments);
    }

    public String[] runText(String script, Object... arguments) {
        String out = Python.require(FOLDER + requirements).output(script, arguments);
        return out.isEmpty() ? new String[0] : out.split("\n", -1);
    }

    private static String text(String script) {
        try {
            return Files.readString(Path.of(System.getProperty("stoker.root"), FOLDER + script));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
