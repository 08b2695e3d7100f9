package dev.stoker.state;

import dev.stoker.StokerException;
import dev.stoker.memory.Edges;
import dev.stoker.memory.Found;
import dev.stoker.memory.OutputFile;
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
final class StateTry {
    private static final Pattern NUMBER = Pattern.compile("[0-9a-f]{16}");
    private static final String ENDING = ".partial";
    private static final String EDGES = ".edges-";

    private StateTry() {}

    /** Makes the file of a new try, deletes those of killed ones, and refuses a path that a living process writes. */
    static OutputFile begin(Path path) throws IOException {
        Path door = path.resolveSibling(path.getFileName() + ENDING);
        // One process at a time comes through here, so that of two that begin at once one finds the other.
        try (OutputFile claimed = require(OutputFile.claim(door), path)) {
            try {
                for (Path left : triesOf(path)) {
                    require(OutputFile.claim(left), path).close();
                    delete(left);
                }
                String number = "%016x".formatted(ThreadLocalRandom.current().nextLong());
                return require(OutputFile.claim(path.resolveSibling(path.getFileName() + "." + number + ENDING)), path);
            } finally {
                Files.deleteIfExists(claimed.path());
            }
        }
    }

    static Edges makeEdges(Path file, int rank) {
        return Edges.make(file.resolveSibling(file.getFileName() + EDGES + rank), folderOf(file));
    }

    static void applyEdges(Path file, String name) throws IOException {
        Path edges = file.resolveSibling(name);
        Edges.apply(edges, folderOf(file), file::equals);
        Files.delete(edges);
    }

    /** Deletes a try; its own file last, by which the rest is found. */
    static void delete(Path file) throws IOException {
        for (Path left : filesOf(file, name -> name.startsWith(file.getFileName() + EDGES))) {
            Files.deleteIfExists(left);
        }
        Files.deleteIfExists(file);
    }

    private static Path folderOf(Path file) {
        return Objects.requireNonNull(file.getParent(), "an absolute path");
    }

    private static OutputFile require(@Nullable OutputFile claimed, Path path) {
        if (claimed == null) {
            throw new StokerException("[" + path + "] is being written by another process; wait for it");
        }
        return claimed;
    }

    private static List<Path> triesOf(Path path) throws IOException {
        String begin = path.getFileName() + ".";
        return filesOf(path, name -> {
            int end = name.length() - ENDING.length();
            return name.startsWith(begin)
                    && name.endsWith(ENDING)
                    && end >= begin.length()
                    && NUMBER.matcher(name.substring(begin.length(), end)).matches();
        });
    }

    /** The files beside a path that have such names. */
    private static List<Path> filesOf(Path path, Predicate<String> isWanted) {
        return Found.in(folderOf(path)).stream()
                .filter(file -> isWanted.test(String.valueOf(file.getFileName())))
                .toList();
    }
}
