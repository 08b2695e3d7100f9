package dev.stoker.state;

import dev.stoker.StokerException;
import dev.stoker.io.OutputFile;
import dev.stoker.io.OutputNames;
import dev.stoker.io.PageEdges;
import dev.stoker.os.FileProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One try to write a state: the file {@code PATH.NUMBER.partial}, which no other try has, so that a rank that outlives
 * its try and still has the file open cannot write into the next one. The Python package does the same, with the same
 * names and locks.
 *
 * <p>What rank R writes into pages that it shares with others is in {@code PATH.NUMBER.partial.edges-R} until rank 0
 * writes it to its places.
 */
final class StateAttempt {
    private static final Pattern NUMBER = Pattern.compile("[0-9a-f]{16}");

    private StateAttempt() {}

    /** Makes the file of a new try, deletes those of killed ones, and refuses a path that a living process writes. */
    static OutputFile begin(Path path) throws IOException {
        Path door = OutputNames.partial(path);
        // One process at a time comes through here, so that of two that begin at once one finds the other.
        try (OutputFile claimed = require(OutputFile.claim(door), path)) {
            try {
                for (Path left : triesOf(path)) {
                    require(OutputFile.claim(left), path).close();
                    delete(left);
                }
                String number = "%016x".formatted(ThreadLocalRandom.current().nextLong());
                return require(OutputFile.claim(OutputNames.partial(path, number)), path);
            } finally {
                Files.deleteIfExists(claimed.path());
            }
        }
    }

    static PageEdges makeEdges(Path file, int rank) {
        return PageEdges.make(OutputNames.edges(file, rank), folderOf(file));
    }

    static void applyEdges(Path file, String name) throws IOException {
        Path edges = file.resolveSibling(name);
        PageEdges.apply(edges, folderOf(file), file::equals);
        Files.delete(edges);
    }

    /** Deletes a try; its own file last, by which the rest is found. */
    static void delete(Path file) throws IOException {
        for (Path left : filesOf(file, each -> OutputNames.isEdges(file, each))) {
            Files.deleteIfExists(left);
        }
        Files.deleteIfExists(file);
    }

    private static Path folderOf(Path file) {
        return Objects.requireNonNull(file.getParent(), "an absolute path");
    }

    private static OutputFile require(@Nullable OutputFile claimed, Path path) {
        if (claimed == null) {
            throw new StokerException(path, "is being written by another process; wait for it");
        }
        return claimed;
    }

    private static List<Path> triesOf(Path path) throws IOException {
        String begin = path.getFileName() + ".";
        return filesOf(path, file -> {
            String name = String.valueOf(file.getFileName());
            int end = name.length() - OutputNames.PARTIAL.length();
            return name.startsWith(begin)
                    && name.endsWith(OutputNames.PARTIAL)
                    && end >= begin.length()
                    && NUMBER.matcher(name.substring(begin.length(), end)).matches();
        });
    }

    private static List<Path> filesOf(Path path, Predicate<Path> isWanted) {
        return FileProbe.in(folderOf(path)).stream().filter(isWanted).toList();
    }
}
