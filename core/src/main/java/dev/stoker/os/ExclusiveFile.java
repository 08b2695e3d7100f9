package dev.stoker.os;

import dev.stoker.StokerException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * An open file that this process alone may write until it is closed. Where the filesystem has no locks, everyone may.
 * The lock is {@code flock}'s, as that of the Python package: others of the same process respect it too, and it is not
 * lost when another channel to the file is closed.
 */
public final class ExclusiveFile implements Closeable {
    private final LockFile lock;
    private final FileChannel channel;

    private ExclusiveFile(LockFile lock, FileChannel channel) {
        this.lock = lock;
        this.channel = channel;
    }

    /** Opens a file that the user named, which is made if need be; null if somebody else has claimed it. */
    public static @Nullable ExclusiveFile open(Path path) throws IOException {
        while (true) {
            RegularFile.require(path);
            TrustedFile.open(path, StandardOpenOption.WRITE).close();
            LockFile lock = existing(path);
            if (lock == null) {
                continue;
            }
            boolean isKept = false;
            try {
                if (!lock.tryClaim()) {
                    return null;
                }
                // Who had it before may have given it another name, or deleted it, after it was opened here.
                if (lock.isNamed()) {
                    var claimed = new ExclusiveFile(
                            lock, TrustedFile.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
                    isKept = true;
                    return claimed;
                }
            } finally {
                if (!isKept) {
                    lock.close();
                }
            }
        }
    }

    /** Null if it has gone since it was made. */
    private static @Nullable LockFile existing(Path path) throws IOException {
        try {
            return LockFile.existing(path.toRealPath());
        } catch (NoSuchFileException e) {
            return null;
        } catch (StokerException e) {
            if (e.getCause() instanceof ErrnoException failure && failure.isMissing()) {
                return null;
            }
            throw e;
        }
    }

    public FileChannel channel() {
        return channel;
    }

    @Override
    public void close() throws IOException {
        try (lock) {
            channel.close();
        }
    }
}
