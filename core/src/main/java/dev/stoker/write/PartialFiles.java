package dev.stoker.write;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.container.Sidecar;
import dev.stoker.io.OutputFile;
import dev.stoker.io.OutputNames;
import dev.stoker.io.PageEdges;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileOwnership;
import dev.stoker.os.FileProbe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * The names that an output has until it is sealed: {@code OUT.partial} for the container, {@code OUT.stkx.partial} for
 * its sidecar, {@code OUT.partial.notes} for what late runs need, {@code OUT.partial.blocks} for compressed samples,
 * {@code OUT.partial.journal} for what is done. Ranks other than 0 have journals of their own,
 * {@code OUT.partial.journals/R}, and {@code OUT.partial.edges/} has what they write into pages that they share. What is written over is {@code OUT.partial.old} and {@code OUT.stkx.partial.old}
 * until all is in its place.
 */
record PartialFiles(Path output) {
    PartialFiles {
        output = output.toAbsolutePath().normalize();
        if (output.getFileName() == null) {
            throw new UsageException(output, "is not a name for an output; give one with a file name");
        }
    }

    Path container() {
        return OutputNames.partial(output);
    }

    Path index() {
        return OutputNames.partial(Sidecar.beside(output));
    }

    /** Where samples are compressed to, before their places are known. */
    Path blocks() {
        return OutputNames.blocks(container());
    }

    /** Where a folder goes that is written over. */
    private Path old() {
        return OutputNames.old(container());
    }

    /** Where a sidecar goes that is written over. */
    private Path oldIndex() {
        return OutputNames.old(index());
    }

    /** The journal of a rank. That of rank 0 is the output's lock. */
    Path journal(int rank) {
        return rank == 0 ? OutputNames.journal(container()) : journals().resolve(String.valueOf(rank));
    }

    private Path journals() {
        return OutputNames.journals(container());
    }

    private Path edges() {
        return OutputNames.edges(container());
    }

    /**
     * Makes the folders that all ranks write into, by rank 0, which reads and deletes what is there: its node may remember
     * for a while that there were none.
     */
    void makeFolders() {
        makeFolder(journals());
        makeFolder(edges());
    }

    private static void makeFolder(Path folder) {
        try {
            FileOwnership.folder(folder);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(folder, e);
        }
    }

    /** Makes the file for what a process that is not rank 0 writes into pages that it shares with others. */
    PageEdges makeEdges() {
        String name = "%016x".formatted(ThreadLocalRandom.current().nextLong());
        return PageEdges.make(edges().resolve(name), folder());
    }

    /** Writes that to its places. */
    void applyEdges(String name) {
        PageEdges.apply(edges().resolve(name), folder(), this::isPartial);
    }

    private Path folder() {
        return Objects.requireNonNull(output.getParent(), "an absolute path with a name");
    }

    private boolean isPartial(Path file) {
        return file.startsWith(container()) || file.equals(index()) || file.equals(OutputNames.notes(container()));
    }

    boolean exist() {
        return FileProbe.exists(journal(0)) || FileProbe.exists(journals());
    }

    /** Opens the journal of a rank. */
    Journal openJournal(int rank, String fingerprint, boolean resume) {
        if (rank > 0) {
            makeFolder(journals());
        }
        return Journal.open(journal(rank), fingerprint, resume);
    }

    /** What the journals of all other ranks say, however many they were. */
    Map<Integer, Integer> othersDone(int rank, String fingerprint) {
        var done = new HashMap<Integer, Integer>();
        if (rank > 0 && FileProbe.exists(journal(0))) {
            done.putAll(Journal.read(journal(0), fingerprint));
        }
        if (FileProbe.isFolder(journals())) {
            for (Path file : FileProbe.in(journals())) {
                if (!file.equals(journal(rank))) {
                    done.putAll(Journal.read(file, fingerprint));
                }
            }
        }
        return done;
    }

    /** Deletes everything but rank 0's journal, which is open; what was about to be written over is there again. */
    void delete() {
        try {
            if (FileProbe.exists(container())) {
                putBack();
            }
            deleteOld();
            Files.deleteIfExists(index());
            DeferredValues.delete(container());
            deleteTree(journals());
            deleteTree(edges());
            deleteTree(container());
        } catch (IOException e) {
            throw FileErrors.cannotWrite(container(), e);
        }
    }

    /** Lets whoever opens the container know that it is as its sidecar says. */
    void tie() {
        Sidecar.tie(index(), container());
    }

    /**
     * Gives everything its final name, the container last, so whoever sees that sees all of it. A file is replaced in one
     * step; a folder is moved out of the way before. If that fails, all is as it was.
     *
     * @param sidecar whether there is one; else one that is there is deleted, since it is of something else
     */
    void rename(boolean sidecar, boolean sync) {
        Path place = Sidecar.beside(output);
        boolean isPlaced = false;
        try {
            if (FileProbe.isFolder(output)) {
                moveAway();
            }
            keepIndex(place);
            if (sidecar) {
                move(index(), place);
                isPlaced = true;
            } else {
                Files.deleteIfExists(index());
                Files.deleteIfExists(place);
            }
            move(container(), output);
        } catch (IOException e) {
            undo(isPlaced, e);
            throw FileErrors.cannotWrite(output, e);
        }
        if (sync && FileProbe.exists(old())) {
            OutputFile.syncFolderOf(output); // the new one has its name for good before the old one is deleted
        }
        clean(sync);
    }

    private static void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Moves the folder away that has the output's name. */
    private void moveAway() throws IOException {
        if (FileProbe.isRealFolder(output)) {
            FileOwnership.requireFolder(output); // asked before, since it could not be deleted after
        }
        deleteTree(old());
        move(output, old());
    }

    /** Gives the sidecar that is there a second name, so that the container is never without; else another one. */
    private void keepIndex(Path place) throws IOException {
        if (!FileProbe.exists(place)) {
            return; // one that was kept before may be the only one
        }
        Files.deleteIfExists(oldIndex());
        try {
            Files.createLink(oldIndex(), place);
        } catch (IOException | UnsupportedOperationException e) {
            move(place, oldIndex()); // a filesystem without links
        }
    }

    private void undo(boolean isPlaced, IOException cause) {
        try {
            if (isPlaced) {
                move(Sidecar.beside(output), index());
            }
            putBack();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /** Gives what was about to be written over its name again. */
    private void putBack() throws IOException {
        if (FileProbe.exists(oldIndex())) {
            move(oldIndex(), Sidecar.beside(output));
            Files.deleteIfExists(oldIndex()); // of two names of one file a move takes none away
        }
        if (FileProbe.hasEntry(old()) && !FileProbe.hasEntry(output)) {
            move(old(), output);
        }
    }

    /** Deletes what is of no use any more when the container has its name. */
    void clean(boolean sync) {
        try {
            deleteOld();
            DeferredValues.delete(container());
            deleteTree(journals());
            deleteTree(edges());
            Files.deleteIfExists(journal(0));
            if (sync) {
                OutputFile.syncFolderOf(output);
            }
        } catch (IOException e) {
            throw FileErrors.cannotWrite(output, e);
        }
    }

    private void deleteOld() {
        try {
            Files.deleteIfExists(oldIndex());
            deleteTree(old());
        } catch (IOException e) {
            throw new StokerException(
                    old(),
                    "was overwritten and cannot be deleted ("
                            + FileErrors.reason(old().toString(), e)
                            + "); delete it, then run the same command with --resume",
                    e);
        }
    }

    private static void deleteTree(Path path) throws IOException {
        if (!FileProbe.isRealFolder(path)) {
            Files.deleteIfExists(path);
            return;
        }
        FileOwnership.requireFolder(path); // in another user's folder a link could take the place of what was listed
        try (Stream<Path> below = Files.walk(path)) {
            for (Path each : below.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
