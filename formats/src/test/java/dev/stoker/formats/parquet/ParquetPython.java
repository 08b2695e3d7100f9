package dev.stoker.formats.parquet;

import dev.stoker.testkit.Python;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs the scripts of {@code formats/src/test/python}. */
final class ParquetPython {
    private static final String FOLDER = "formats/src/test/python/";

    private ParquetPython() {}

    /** Runs a script with what {@code parquet_canonical.py} defines, and returns the lines that it prints. */
    static String[] run(String script, Object... arguments) {
        String text = text("parquet_canonical.py") + text(script);
        String out = Python.require(FOLDER + "parquet.txt").output(text, arguments);
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
