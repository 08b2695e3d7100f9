package dev.stoker.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether something is at a path, and what. Where the storage does not answer, that is an error: {@link Files#exists} and
 * its like say no then, and a container that is there would be overwritten, or a part of it taken for one that was never
 * written.
 */
public final class FileProbe {
    private FileProbe() {}

    /** Whether a path names a file of this machine, rather than an object on remote storage. */
    public static boolean isLocal(Path path) {
        return path.getFileSystem().equals(FileSystems.getDefault());
    }

    /** Whether anything is there; a symbolic link is followed. */
    public static boolean exists(Path path) {
        return isLocal(path) ? kind(path) != null : Files.exists(path);
    }

    /** Whether a file is there; a symbolic link is followed. */
    public static boolean isFile(Path path) {
        return isLocal(path) ? kind(path) == Posix.Kind.FILE : Files.isRegularFile(path);
    }

    /** Whether a folder is there; a symbolic link is followed. */
    public static boolean isFolder(Path path) {
        return isLocal(path) ? kind(path) == Posix.Kind.FOLDER : Files.isDirectory(path);
    }

    /** Whether anything has this name, be it a symbolic link that leads nowhere. */
    public static boolean hasEntry(Path path) {
        return isLocal(path) ? linkKind(path) != null : Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether a folder, and no link to one, is there. */
    public static boolean isRealFolder(Path path) {
        return isLocal(path) ? linkKind(path) == Posix.Kind.FOLDER : Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** What a folder holds, in no order. */
    public static List<Path> in(Path folder) {
        try {
            return in(folder, "*");
        } catch (IOException e) {
            throw FileErrors.cannotRead(folder, e);
        }
    }

    /** What a folder holds that has a name like this, in no order; all of it, or it fails. */
    public static List<Path> in(Path folder, String glob) throws IOException {
        var found = new ArrayList<Path>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, glob)) {
            entries.forEach(found::add);
            return found;
        } catch (DirectoryIteratorException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }

    private static Posix.@Nullable Kind kind(Path path) {
        return kind(path, Posix::stat);
    }

    private static Posix.@Nullable Kind linkKind(Path path) {
        return kind(path, Posix::statLink);
    }

    private interface Call {
        Posix.Stat at(int folder, byte[] name) throws IOException;
    }

    private static Posix.@Nullable Kind kind(Path path, Call stat) {
        try {
            return stat.at(Posix.HERE, path.toString().getBytes(StandardCharsets.UTF_8))
                    .kind();
        } catch (IOException e) {
            if (e instanceof ErrnoException failure && failure.isNowhere()) {
                return null;
            }
            throw FileErrors.cannotRead(path, e);
        }
    }
}
