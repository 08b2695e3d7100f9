package dev.stoker.container;

import dev.stoker.StokerException;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import dev.stoker.os.Posix;
import dev.stoker.remote.RemotePath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** Folders that are, or hold, what a pack left when it was interrupted, as its journal tells. */
public final class PartialPackCheck {
    private static final String JOURNAL = ".partial.journal";
    private static final byte[] ENDING = JOURNAL.getBytes(StandardCharsets.UTF_8);

    private PartialPackCheck() {}

    /** Refuses such a folder: files that are not filled yet must not be taken for samples. */
    static void refuse(Path folder) {
        if (folder instanceof RemotePath) {
            return; // nothing unfinished is ever stored there
        }
        refuseItself(folder);
        try {
            Posix.list(Posix.HERE, folder.toString().getBytes(StandardCharsets.UTF_8), (name, kind) -> {
                if (isJournal(name)) {
                    throw heldBy(folder.toString(), name);
                }
            });
        } catch (IOException e) {
            throw FileErrors.cannotRead(folder, e);
        }
    }

    /** Refuses a folder that is one. Who lists it anyway asks {@link #isJournal} of what is there. */
    public static void refuseItself(Path folder) {
        Path beside = folder.resolveSibling(folder.getFileName() + ".journal");
        if (beside.toString().endsWith(JOURNAL) && FileProbe.exists(beside)) {
            throw unfinished(folder.toString(), "is", beside.getFileName().toString());
        }
    }

    /** Whether something in a folder tells by its name that the folder holds one. Asked of every file that is packed. */
    public static boolean isJournal(byte[] name) {
        int from = name.length - ENDING.length;
        return from >= 0 && Arrays.equals(name, from, name.length, ENDING, 0, ENDING.length);
    }

    /** The failure of a folder that holds one. */
    public static StokerException heldBy(String folder, byte[] journal) {
        return unfinished(folder, "holds", new String(journal, StandardCharsets.UTF_8));
    }

    private static StokerException unfinished(String folder, String verb, String journal) {
        return new StokerException(
                folder,
                verb + " an unfinished pack (" + journal
                        + "); continue it with the same command and --resume, or delete what it left");
    }
}
