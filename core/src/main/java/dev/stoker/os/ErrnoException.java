package dev.stoker.os;

import java.io.IOException;

/** A failed system call; the message is the system's own. */
public final class ErrnoException extends IOException {
    static final int ENOENT = 2;
    private static final int EAGAIN = 11;
    private static final int ENAMETOOLONG = 36;
    private static final int ENOLCK = 37;
    private static final int ENOSYS = 38;
    private static final int EOPNOTSUPP = 95;
    private static final int ENOMEM = 12;
    private static final int ENOTDIR = 20;
    private static final int EINVAL = 22;
    private static final int ENFILE = 23;
    private static final int EMFILE = 24;
    private static final int ECONNABORTED = 103;
    private static final int ENOBUFS = 105;
    private static final long serialVersionUID = 1L;
    private final int errno;

    ErrnoException(int errno) {
        super(SystemCall.message(errno));
        this.errno = errno;
    }

    /** Whether the file, or the file system, does not allow what was asked for. */
    public boolean isInvalid() {
        return errno == EINVAL;
    }

    public boolean isMissing() {
        return errno == ENOENT;
    }

    /** Whether there is nothing of that name, nor can be: also where a file stands in place of a folder above. */
    boolean isNowhere() {
        return errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG;
    }

    /** Whether the process or the system lacks something, which says nothing of the file. */
    public boolean isShortage() {
        return errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS;
    }

    /** Whether the other end of a connection gave up before it was accepted. */
    boolean isAborted() {
        return errno == ECONNABORTED;
    }

    /** Whether the filesystem has no locks. */
    boolean isWithoutLocks() {
        return errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP;
    }

    /** Whether it would have had to wait. */
    public boolean isBusy() {
        return errno == EAGAIN;
    }

    public int errno() {
        return errno;
    }
}
