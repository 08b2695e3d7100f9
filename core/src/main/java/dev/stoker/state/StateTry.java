package dev.stoker.state;

import dev.stoker.StokerException;
import dev.stoker.memory.OutputFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One try to write a state: the file {@code PATH.NUMBER.partial}, which no other try has, so that a rank that outlives
 * its try and still has the file open cannot write into the next one. The Python package does the same, with the same
 * names and locks.
 */
final class StateTry {
    private static final Pattern NUMBER = Pattern.compile("[0-9a-f]{16}");
    private static final String ENDING = ".partial";

    private StateTry() {}

    /** Makes the file of a new try, deletes those of killed ones, and refuses a path that a living process writes. */
    static OutputFile begin(Path path) throws IOException {
        Path door = path.resolveSibling(path.getFileName() + ENDING);
        // One process at a time comes through here, so that of two that begin at once one finds the other.
        try (OutputFile claimed = require(OutputFile.claim(door), path)) {
            try {
                for (Path left : triesOf(path)) {
                    require(OutputFile.claim(left), path).close();
                    Files.deleteIfExists(left);
                }
                String number = "%016x".formatted(ThreadLocalRandom.current().nextLong());
                return require(OutputFile.claim(path.resolveSibling(path.getFileName() + "." + number + ENDING)), path);
            } finally {
                Files.deleteIfExists(claimed.path());
            }
        }
    }

    private static OutputFile require(@Nullable OutputFile claimed, Path path) {
        if (claimed == null) {
            throw new StokerException("[" + path + "] is being written by another process; wait for it");
        }
        return claimed;
    }

    private static List<Path> triesOf(Path path) throws IOException {
        String begin = path.getFileName() + ".";
        var found = new ArrayList<Path>();
        try (DirectoryStream<Path> names = Files.newDirectoryStream(path.resolveSibling(""))) {
            for (Path file : names) {
                String name = String.valueOf(file.getFileName());
                int end = name.length() - ENDING.length();
                if (name.startsWith(begin)
                        && name.endsWith(ENDING)
                        && end >= begin.length()
                        && NUMBER.matcher(name.substring(begin.length(), end)).matches()) {
                    found.add(file);
                }
            }
        }
        return found;
    }
}
