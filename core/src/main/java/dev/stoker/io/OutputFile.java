package dev.stoker.io;

import dev.stoker.StokerException;
import dev.stoker.os.ExclusiveFile;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileOwnership;
import dev.stoker.os.Posix;
import dev.stoker.os.TrustedFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** A file that is written by place, by any number of threads at once. */
public abstract sealed class OutputFile implements AutoCloseable permits PlainOutputFile, PatchFile, WholePageFile {
    private final Path path;

    OutputFile(Path path) {
        this.path = path;
    }

    /** Creates the file, or opens it as it is, as {@link #openExisting} does. */
    public static OutputFile open(Path path) {
        try {
            return PlainOutputFile.of(
                    path,
                    FileChannel.open(
                            path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE));
        } catch (FileAlreadyExistsException e) {
            return openExisting(path);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(path, e);
        }
    }

    /** Opens a file that must be there; what somebody else may have put there is refused, see {@link FileOwnership}. */
    public static OutputFile openExisting(Path path) {
        try {
            return PlainOutputFile.of(
                    path, TrustedFile.openExisting(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
        } catch (IOException e) {
            throw FileErrors.cannotWrite(path, e);
        }
    }

    /** Opens a file for this process alone, as {@link ExclusiveFile} has it; null if another has it. */
    public static @Nullable OutputFile claim(Path path) {
        FileOwnership.requireNoLink(path);
        try {
            ExclusiveFile claimed = ExclusiveFile.open(path);
            return claimed == null ? null : new PlainOutputFile(path, claimed.channel(), claimed);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(path, e);
        }
    }

    public final Path path() {
        return path;
    }

    public abstract void write(long offset, MemorySegment bytes);

    /** Reads what stands at a place; false if the file ends before. */
    public abstract boolean read(long offset, MemorySegment to);

    /** The checksum of a part of the file, which must have it. */
    public final int checksum(long offset, long length) {
        return Checksum.of(this::readFully, offset, length);
    }

    /** Reads all that is asked for, or throws. */
    public final void readFully(long offset, MemorySegment to) {
        if (!read(offset, to)) {
            throw new StokerException(
                    path,
                    "should have " + (offset + to.byteSize())
                            + " bytes but ends before; it became shorter while it was written");
        }
    }

    public abstract long size();

    /** Sets the length; what was not written yet reads as zeros. */
    public abstract void resize(long size);

    /** Returns when everything written has reached the disk. */
    public abstract void sync();

    /** Returns when the names in a file's folder have reached the disk: what was made, renamed and deleted there. */
    public static void syncFolderOf(Path path) {
        Path folder = path.toAbsolutePath().getParent();
        if (folder != null) {
            syncNow(folder);
        }
    }

    /** Returns when a file that nobody has open, or the names in a folder, have reached the disk. */
    public static void syncNow(Path path) {
        try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(path, e);
        }
    }

    /** Returns when everything that anybody wrote to the filesystem of a file or folder has reached the disk. */
    public static void syncFilesystemOf(Path path) {
        try {
            int open = Posix.open(Posix.HERE, path.toString().getBytes(StandardCharsets.UTF_8));
            try {
                Posix.syncFilesystem(open);
            } finally {
                Posix.close(open);
            }
        } catch (IOException e) {
            throw FileErrors.cannotWrite(path, e);
        }
    }

    @Override
    public abstract void close();
}
