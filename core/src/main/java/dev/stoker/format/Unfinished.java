package dev.stoker.format;

import dev.stoker.StokerException;
import dev.stoker.memory.MappedFile;
import dev.stoker.memory.RemotePath;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;

/** Folders that are, or hold, what a pack left when it was interrupted, as its journal tells. */
final class Unfinished {
    private static final String PARTIAL = ".partial";
    private static final String JOURNAL = ".journal";

    private Unfinished() {}

    /** Refuses such a folder: files that are not filled yet must not be taken for samples. */
    static void refuse(Path folder) {
        if (folder instanceof RemotePath) {
            return; // nothing unfinished is ever stored there
        }
        Path beside = folder.resolveSibling(folder.getFileName() + JOURNAL);
        if (beside.toString().endsWith(PARTIAL + JOURNAL) && Files.exists(beside)) {
            throw unfinished(folder, "is", beside);
        }
        try (DirectoryStream<Path> journals = Files.newDirectoryStream(folder, "*" + PARTIAL + JOURNAL)) {
            Iterator<Path> found = journals.iterator();
            if (found.hasNext()) {
                throw unfinished(folder, "holds", found.next());
            }
        } catch (IOException e) {
            throw MappedFile.cannotRead(folder, e);
        }
    }

    private static StokerException unfinished(Path folder, String verb, Path journal) {
        return new StokerException("[" + folder + "] " + verb + " an unfinished pack (" + journal.getFileName()
                + "); go on with it by the same command and --resume, or delete what it left");
    }
}
