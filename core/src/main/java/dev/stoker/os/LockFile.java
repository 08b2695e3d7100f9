package dev.stoker.os;

import dev.stoker.StokerException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * An open file that processes of one node lock ({@code flock}). The system lets go of a lock when its process
 * ends, however that ends, so a lock tells who lives. No child inherits it. Used by one thread at a time.
 */
public final class LockFile implements AutoCloseable {
    private static final int O_RDWR = 2;
    private static final int O_CREAT = 0x40;
    /** It differs between architectures. */
    private static final int O_NOFOLLOW = System.getProperty("os.arch").equals("aarch64") ? 0x8000 : 0x20000;

    private static final int LOCK_SH = 1;
    private static final int LOCK_EX = 2;
    private static final int LOCK_NB = 4;
    private static final int LOCK_UN = 8;
    private static final int OWNER_ALONE = 0600;

    private static final MemorySegment OPENAT = SystemCall.symbol("openat");
    private static final MemorySegment FLOCK = SystemCall.symbol("flock");

    private final Path path;
    private final int file;
    private boolean isClosed;

    private LockFile(Path path, int file) {
        this.path = path;
        this.file = file;
    }

    /** Opens a file, which is made if need be, for its owner alone; a symbolic link is refused. */
    public static LockFile file(Path path) {
        return open(path, O_RDWR | O_CREAT);
    }

    /** Opens a file that is there; a symbolic link is refused. */
    public static LockFile existing(Path path) {
        return open(path, O_RDWR);
    }

    private static LockFile open(Path path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(path.toString(), StandardCharsets.UTF_8);
            int all = flags | O_NOFOLLOW | Posix.O_CLOEXEC;
            return new LockFile(path, SystemCall.checked(OPENAT, Posix.HERE, name.address(), all, OWNER_ALONE, 0));
        } catch (IOException e) {
            throw new StokerException(path, "cannot be opened: " + e.getMessage(), e);
        }
    }

    /** Shares the lock; false if somebody has it alone. */
    public boolean tryShared() {
        return tryLock(LOCK_SH);
    }

    /** Takes the lock alone; false if anybody else has it. A shared lock that was held is lost either way. */
    public boolean tryAlone() {
        return tryLock(LOCK_EX);
    }

    private boolean tryLock(int kind) {
        try {
            return isLocked(kind);
        } catch (IOException e) {
            throw new StokerException(path, "cannot be locked: " + e.getMessage(), e);
        }
    }

    /** As {@link #tryAlone}, but true also where the filesystem has no locks, as Lustre unless it is mounted with them. */
    boolean tryClaim() throws IOException {
        try {
            return isLocked(LOCK_EX);
        } catch (ErrnoException e) {
            if (e.isWithoutLocks()) {
                return true;
            }
            throw e;
        }
    }

    private boolean isLocked(int kind) throws IOException {
        try {
            SystemCall.checked(FLOCK, file, kind | LOCK_NB, 0, 0, 0);
            return true;
        } catch (ErrnoException e) {
            if (e.isBusy()) {
                return false;
            }
            throw e;
        }
    }

    /** Lets go of the lock; the file stays open. */
    public void unlock() {
        try {
            SystemCall.checked(FLOCK, file, LOCK_UN, 0, 0, 0);
        } catch (IOException e) {
            throw new IllegalStateException(e); // it cannot fail
        }
    }

    /** Whether the file still has its name: who locks one that was deleted meanwhile has locked nothing. */
    public boolean isLinked() {
        try {
            return Posix.links(file) > 0;
        } catch (IOException e) {
            throw new StokerException(path, "cannot be read: " + e.getMessage(), e);
        }
    }

    /** Whether the name that it was opened by is still this file's. */
    public boolean isNamed() throws IOException {
        Posix.Stat opened = Posix.stat(file);
        try {
            Posix.Stat named = Posix.stat(Posix.HERE, path.toString().getBytes(StandardCharsets.UTF_8));
            return named.device() == opened.device() && named.inode() == opened.inode();
        } catch (ErrnoException e) {
            if (e.isMissing()) {
                return false;
            }
            throw e;
        }
    }

    /** Closing it once more does nothing: the number may be another file's by then. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            Posix.close(file);
        }
    }
}
