package dev.stoker.testkit.bill;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One thing by others that Stoker is built from, as a line of {@code tools/third-party.tsv} has it.
 *
 * @param name {@code group:artifact}, or the name of a Python package
 * @param licence its SPDX identifier, or words where there is none
 */
public record Part(Use use, String name, String licence, String why) {
    /** What it is for. */
    public enum Use {
        /** A jar of the distribution. */
        DISTRIBUTION,
        /** Compiled or copied into a jar of the distribution. */
        COMPILED_IN,
        /** Wanted by the Python package, not shipped with it. */
        PYTHON,
        /** Needed to build and to test. */
        BUILD
    }

    /** All of them, in the order of the file. */
    public static List<Part> readAll(Path root) throws IOException {
        var parts = new ArrayList<Part>();
        for (String line : Files.readAllLines(root.resolve("tools/third-party.tsv"))) {
            if (!line.isEmpty() && !line.startsWith("#")) {
                String[] words = line.split("\t");
                if (words.length != 4) {
                    throw new IOException("a line should have 4 columns, with tabs between them, but is: " + line);
                }
                parts.add(new Part(Use.valueOf(words[0]), words[1], words[2], words[3]));
            }
        }
        return parts;
    }

    public String group() {
        return name.substring(0, name.indexOf(':'));
    }

    public String artifact() {
        return name.substring(name.indexOf(':') + 1);
    }
}
