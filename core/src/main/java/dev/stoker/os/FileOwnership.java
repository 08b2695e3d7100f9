package dev.stoker.os;

import dev.stoker.StokerException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whose a file or folder is. In a folder that everybody may write to, such as {@code /tmp}, another user may have put
 * there what this one is about to use: a link that leads to a file of this user's, or a file of their own, which they
 * could change later. Such things are refused. In any other folder whoever may write there is trusted, as colleagues are
 * who share one, and so is whoever owns it.
 *
 * @param mode the permissions, and what it is
 */
public record FileOwnership(int user, int mode, int links) {
    private static final int TYPE = 0170000;
    private static final int FOLDER = 0040000;
    private static final int LINK = 0120000;
    private static final int WRITABLE_BY_ALL = 0002;
    private static final int STICKY = 01000;

    /** Of a path; a symbolic link is described itself. */
    static FileOwnership of(Path path) throws IOException {
        Map<String, Object> found = Files.readAttributes(path, "unix:mode,uid,nlink", LinkOption.NOFOLLOW_LINKS);
        return new FileOwnership(number(found, "uid"), number(found, "mode"), number(found, "nlink"));
    }

    private static int number(Map<String, Object> found, String name) {
        return found.get(name) instanceof Integer number ? number : -1;
    }

    /** Refuses a link under a name that Stoker makes itself: what it leads to is not Stoker's. */
    public static void requireNoLink(Path path) {
        if (Files.isSymbolicLink(path)) {
            throw refused(path, "it is a symbolic link");
        }
    }

    /** Refuses a file or folder that somebody else may have put where this user writes. */
    static void require(Path path) throws IOException {
        FileOwnership found = of(path);
        if (found.is(LINK)) {
            throw refused(path, "it is a symbolic link");
        }
        if (isPublic(path)) {
            if (!found.isMadeBeside(path)) {
                throw refused(path, "it belongs to user " + found.user + ", in a world-writable folder");
            }
            if (!found.is(FOLDER) && found.links > 1) {
                throw refused(path, "it has another name too, in a world-writable folder");
            }
        }
    }

    /**
     * Whether what this process makes beside a path has the same owner: this user, except where a server (NFS with
     * all_squash, SMB) gives the files of everybody the same one.
     */
    private boolean isMadeBeside(Path path) {
        if (user == LocalSocket.user()) {
            return true;
        }
        try {
            Path made = Files.createTempFile(path.toAbsolutePath().getParent(), ".stoker-", ".tmp");
            try {
                return of(made).user == user;
            } finally {
                Files.delete(made);
            }
        } catch (IOException e) {
            return false;
        }
    }

    private static StokerException refused(Path path, String reason) {
        return new StokerException(
                path, "refusing to write: " + reason + "; delete it, or choose a folder of your own for the output");
    }

    /** Makes a folder, unless it is there: then it must be this user's own, as {@link #require} has it. */
    public static void folder(Path path) throws IOException {
        try {
            Files.createDirectory(path);
        } catch (FileAlreadyExistsException e) {
            requireFolder(path);
        }
    }

    /** Refuses a folder that somebody else may have put there. */
    public static void requireFolder(Path path) throws IOException {
        require(path);
        if (!of(path).is(FOLDER)) {
            throw new FileAlreadyExistsException(path.toString());
        }
    }

    /**
     * Whether a file tells of another one what only that one's owner, this user or root should tell. Where the two lie
     * in a folder that not everybody may write to, anybody may.
     */
    public static boolean mayDescribe(Path file, Path other) {
        try {
            return !isPublic(file) || mayDescribeAnywhere(file, other);
        } catch (IOException | UnsupportedOperationException e) {
            return true; // it is not on this machine, or opening it will tell what is wrong
        }
    }

    /** The same for a file in a folder that may be anybody's. */
    public static boolean mayDescribeAnywhere(Path file, Path other) {
        try {
            FileOwnership found = of(file);
            return found.isOwn() || found.user == of(other.toRealPath()).user;
        } catch (IOException | UnsupportedOperationException e) {
            return false; // the other one is not on this machine, so the file's user is not its owner
        }
    }

    /**
     * Why somebody could put another folder in the place of this one, with what is above it; null if nobody could.
     *
     * @param folder without links
     */
    public static @Nullable String danger(Path folder) throws IOException {
        for (Path above = folder.getParent(); above != null; above = above.getParent()) {
            FileOwnership found = of(above);
            if ((found.mode & WRITABLE_BY_ALL) != 0 && (found.mode & STICKY) == 0) {
                return "[" + above + "] is world-writable without the sticky bit";
            }
            if (!found.isOwn() && isPublic(above)) {
                return "[" + above + "] belongs to user " + found.user + ", in a world-writable folder";
            }
        }
        return null;
    }

    private boolean isOwn() {
        return user == 0 || user == LocalSocket.user();
    }

    /** Whether everybody may write to the folder of a path. */
    static boolean isPublic(Path path) throws IOException {
        Path folder = path.toAbsolutePath().getParent();
        return folder != null && (of(folder.toRealPath()).mode & WRITABLE_BY_ALL) != 0;
    }

    private boolean is(int type) {
        return (mode & TYPE) == type;
    }
}
