package dev.stoker.pack;

import dev.stoker.format.Sidecar;
import dev.stoker.memory.OutputFile;
import dev.stoker.memory.Ownership;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The names that an output has until it is sealed: {@code OUT.partial} for the container, {@code OUT.stkx.partial} for
 * its sidecar, {@code OUT.partial.notes} for what late runs need, {@code OUT.partial.blocks} for compressed samples,
 * {@code OUT.partial.journal} for what is done. Ranks other than 0 have journals of their own,
 * {@code OUT.partial.journals/R}.
 */
record PartialFiles(Path output) {
    PartialFiles {
        output = output.toAbsolutePath().normalize();
    }

    private static Path sibling(Path path, String ending) {
        return path.resolveSibling(path.getFileName() + ending);
    }

    Path container() {
        return sibling(output, ".partial");
    }

    Path index() {
        return sibling(Sidecar.beside(output), ".partial");
    }

    /** Where samples are compressed to, before their places are known. */
    Path blocks() {
        return sibling(container(), ".blocks");
    }

    /** The journal of a rank. That of rank 0 is the output's lock. */
    Path journal(int rank) {
        return rank == 0 ? Journal.beside(container()) : journals().resolve(String.valueOf(rank));
    }

    private Path journals() {
        return sibling(container(), ".journals");
    }

    boolean exist() {
        return Files.exists(journal(0)) || Files.exists(journals());
    }

    /** Opens the journal of a rank. */
    Journal openJournal(int rank, String fingerprint, boolean resume) {
        try {
            if (rank > 0) {
                Ownership.folder(journals());
            }
        } catch (IOException e) {
            throw OutputFile.cannotWrite(journals(), e);
        }
        return Journal.open(journal(rank), fingerprint, resume);
    }

    /** What the journals of all other ranks say, however many they were. */
    Map<Integer, Integer> othersDone(int rank, String fingerprint) {
        var done = new HashMap<Integer, Integer>();
        if (rank > 0 && Files.exists(journal(0))) {
            done.putAll(Journal.read(journal(0), fingerprint));
        }
        if (Files.isDirectory(journals())) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(journals())) {
                for (Path file : files) {
                    if (!file.equals(journal(rank))) {
                        done.putAll(Journal.read(file, fingerprint));
                    }
                }
            } catch (IOException e) {
                throw OutputFile.cannotWrite(journals(), e);
            }
        }
        return done;
    }

    /** Deletes everything but rank 0's journal, which is open. */
    void delete() {
        try {
            Files.deleteIfExists(index());
            Notes.delete(container());
            deleteTree(journals());
            deleteTree(container());
        } catch (IOException e) {
            throw OutputFile.cannotWrite(container(), e);
        }
    }

    /**
     * Gives everything its final name, the container last, so whoever sees that sees all of it.
     *
     * @param sidecar whether there is one; else what stands in its place is deleted
     */
    void rename(boolean sidecar, boolean sync) {
        try {
            if (sidecar) {
                Files.move(index(), Sidecar.beside(output), StandardCopyOption.ATOMIC_MOVE);
            } else {
                Files.deleteIfExists(index());
            }
            if (Files.isDirectory(output)) {
                deleteTree(output);
            }
            Files.move(container(), output, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw OutputFile.cannotWrite(output, e);
        }
        clean(sync);
    }

    /** Deletes what is of no use any more when the container has its name. */
    void clean(boolean sync) {
        try {
            Notes.delete(container());
            deleteTree(journals());
            Files.deleteIfExists(journal(0));
            if (sync) {
                OutputFile.syncFolderOf(output);
            }
        } catch (IOException e) {
            throw OutputFile.cannotWrite(output, e);
        }
    }

    private static void deleteTree(Path path) throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(path);
            return;
        }
        Ownership.requireFolder(path); // in another user's folder a link could take the place of what was listed
        try (Stream<Path> below = Files.walk(path)) {
            for (Path each : below.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
