package dev.stoker.formats.hdf5;

import dev.stoker.testkit.Python;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs the scripts of {@code formats/src/test/python} with h5py. */
final class H5py {
    private static final String FOLDER = "formats/src/test/python/";

    private H5py() {}

    /** Runs a script and returns the lines that it prints. */
    static String[] run(String script, Object... arguments) {
        return runText(text(script), arguments);
    }

    static String[] runText(String script, Object... arguments) {
        String out = Python.require(FOLDER + "hdf5.txt").output(script, arguments);
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
