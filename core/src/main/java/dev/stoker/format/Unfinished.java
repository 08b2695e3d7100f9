package dev.stoker.format;

import dev.stoker.StokerException;
import dev.stoker.memory.MappedFile;
import dev.stoker.memory.RemotePath;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Folders that are, or hold, what a pack left when it was interrupted, as its journal tells. */
public final class Unfinished {
    private static final String PARTIAL = ".partial";
    private static final String JOURNAL = ".journal";

    private Unfinished() {}

    /** Refuses such a folder: files that are not filled yet must not be taken for samples. */
    public static void refuse(Path folder) {
        refuse(folder, null);
    }

    /**
     * The same for who is about to make a container.
     *
     * @param output what is made, whose own journal may lie in the folder; null if nothing is
     */
    public static void refuse(Path folder, @Nullable Path output) {
        if (folder instanceof RemotePath) {
            return; // nothing unfinished is ever stored there
        }
        Path beside = folder.resolveSibling(folder.getFileName() + JOURNAL);
        if (beside.toString().endsWith(PARTIAL + JOURNAL) && Files.exists(beside)) {
            throw unfinished(folder, "is", beside);
        }
        try (DirectoryStream<Path> journals = Files.newDirectoryStream(folder, "*" + PARTIAL + JOURNAL)) {
            String own = output == null ? "" : output.getFileName() + PARTIAL + JOURNAL;
            for (Path journal : journals) {
                if (!journal.getFileName().toString().equals(own)) {
                    throw unfinished(folder, "holds", journal);
                }
            }
        } catch (IOException e) {
            throw MappedFile.cannotRead(folder, e);
        } catch (DirectoryIteratorException e) {
            throw MappedFile.cannotRead(folder, Objects.requireNonNull(e.getCause()));
        }
    }

    private static StokerException unfinished(Path folder, String verb, Path journal) {
        return new StokerException("[" + folder + "] " + verb + " an unfinished pack (" + journal.getFileName()
                + "); go on with it by the same command and --resume, or delete what it left");
    }
}
