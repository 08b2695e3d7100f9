package dev.stoker.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Opens files that the user named, to write into them. What somebody else may have put there, in a folder that everybody
 * may write to, is refused, see {@link Ownership}; elsewhere links lead where they lead.
 */
public final class OwnFile {
    private OwnFile() {}

    /** Opens a file, which is made if need be. */
    public static FileChannel open(Path path, OpenOption... options) throws IOException {
        try {
            return FileChannel.open(path, with(options, StandardOpenOption.CREATE_NEW));
        } catch (FileAlreadyExistsException e) {
            return Ownership.isPublic(path)
                    ? openPublic(path, options)
                    : FileChannel.open(path, with(options, StandardOpenOption.CREATE));
        }
    }

    private static FileChannel openPublic(Path path, OpenOption... options) throws IOException {
        // Before it is opened, since a pipe would be waited for, and after, since it may be another one by then.
        Ownership.require(path);
        FileChannel opened = FileChannel.open(path, with(options, LinkOption.NOFOLLOW_LINKS));
        try {
            Ownership.require(path);
            return opened;
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private static Set<OpenOption> with(OpenOption[] options, OpenOption more) {
        var all = new ArrayList<>(List.of(options));
        all.add(more);
        return Set.copyOf(all);
    }

    /** Writes a file anew. */
    public static void write(Path path, byte[] bytes) throws IOException {
        try (FileChannel file = open(path, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            var left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                file.write(left);
            }
        }
    }

    /**
     * Opens a file, which is made if need be, for this process alone until it is closed; null if another has it. Where
     * the filesystem has no locks, everyone gets it.
     */
    public static @Nullable FileChannel claim(Path path) throws IOException {
        while (true) {
            RegularFile.require(path);
            Object named = key(path);
            FileChannel opened = open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
            boolean isKept = false;
            try {
                if (!isLocked(opened)) {
                    return null;
                }
                // Who had it before may have given it another name, or deleted it, while this one waited to open it. A
                // file that was made just now is looked at once more, since it may be another's as well.
                isKept = named != null && named.equals(key(path));
                if (isKept) {
                    return opened;
                }
            } finally {
                if (!isKept) {
                    opened.close();
                }
            }
        }
    }

    /** What tells a file from others that have, or had, its name; null if it is not there. */
    private static @Nullable Object key(Path path) throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static boolean isLocked(FileChannel file) {
        try {
            return file.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            return true; // No locks here.
        }
    }
}
