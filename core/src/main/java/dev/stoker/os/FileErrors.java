package dev.stoker.os;

import dev.stoker.StokerException;
import dev.stoker.text.Spelling;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;

/** One sentence for each way in which a file can fail, whichever part of Stoker met it. */
public final class FileErrors {
    /** A folder of more files is not worth the wait for a suggestion. */
    private static final int MOST_NAMES = 1000;

    private FileErrors() {}

    /** One sentence for a file that cannot be read, the same for every caller. */
    public static StokerException cannotRead(Path path, IOException e) {
        return cannotRead(path.toString(), e);
    }

    /** The same for a name that cannot be a Path, since the locale does not have its letters. */
    public static StokerException cannotRead(String path, IOException e) {
        return new StokerException(path, "cannot be read: " + reason(path, e), e);
    }

    /** The system's reason without the path that Java puts before it. */
    public static String reason(String path, IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file or folder" + similarName(path);
        }
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof ErrnoException failure && failure.isShortage()) {
            return failure.getMessage() + "; that is a limit of the process or the system, not of the file; raise it"
                    + " (that of open files: ulimit -n 4096)";
        }
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        String prefix = path + ": ";
        return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
    }

    /** A name in the same folder that a missing one may have been meant for. */
    private static String similarName(String path) {
        try {
            Path missing = Path.of(path).toAbsolutePath();
            Path folder = missing.getParent();
            if (folder == null) {
                return "";
            }
            var names = new ArrayList<String>();
            try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
                for (Path each : all) {
                    names.add(String.valueOf(each.getFileName()));
                    if (names.size() == MOST_NAMES) {
                        break;
                    }
                }
            }
            return Spelling.hint(String.valueOf(missing.getFileName()), names);
        } catch (IOException | DirectoryIteratorException | InvalidPathException e) {
            return ""; // there is nothing to suggest
        }
    }

    public static StokerException cannotWrite(Path path, IOException e) {
        return new StokerException(path, "cannot be written: " + reason(path.toString(), e), e);
    }

    /**
     * Throws an internal error again unless it is what the JVM makes of a mapped page that cannot be read: any other is a
     * defect, and says nothing of a file.
     */
    public static void requireFault(InternalError e) {
        // HotSpot has two such texts, "a fault occurred in …": one for compiled code, one for all other.
        if (e.getMessage() == null || !e.getMessage().contains("unsafe memory access operation")) {
            throw e;
        }
    }

    /** The sentence for a file that became shorter, or whose storage failed, while it was mapped. */
    public static StokerException unreadable(Path path, InternalError e) {
        requireFault(e);
        return new StokerException(
                path,
                "could not be read while it was mapped: it became shorter, or its storage failed; see the"
                        + " system's log (dmesg)",
                e);
    }
}
