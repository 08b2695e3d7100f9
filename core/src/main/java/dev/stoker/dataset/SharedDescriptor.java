package dev.stoker.dataset;

import dev.stoker.os.ErrnoException;
import dev.stoker.os.Posix;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A file that is opened for positional reads when the first thread wants one, and then is the same for all threads. */
final class SharedDescriptor implements AutoCloseable {
    private static final int NOT_OPEN = -1;

    private final Path path;
    private final boolean isDirect;
    private volatile int file = NOT_OPEN;
    private boolean isRandom;

    /** @param isDirect whether it is read past the page cache, where the file system allows it */
    SharedDescriptor(Path path, boolean isDirect) {
        this.path = path;
        this.isDirect = isDirect;
    }

    int file() throws IOException {
        int open = file;
        return open == NOT_OPEN ? open() : open;
    }

    private synchronized int open() throws IOException {
        if (file == NOT_OPEN) {
            byte[] name = path.toString().getBytes(StandardCharsets.UTF_8);
            int opened = isDirect ? openDirect(name) : Posix.open(Posix.HERE, name);
            if (isRandom) {
                Posix.adviseRandom(opened);
            }
            file = opened;
        }
        return file;
    }

    /** Not every file system has a way past the page cache, and for one in memory there is nothing to pass by. */
    private static int openDirect(byte[] name) throws IOException {
        try {
            return Posix.openDirect(Posix.HERE, name);
        } catch (ErrnoException e) {
            if (e.isInvalid()) {
                return Posix.open(Posix.HERE, name);
            }
            throw e;
        }
    }

    /** Lets the system read nothing ahead. */
    synchronized void adviseRandom() {
        isRandom = true;
        if (file != NOT_OPEN) {
            Posix.adviseRandom(file);
        }
    }

    @Override
    public synchronized void close() {
        if (file != NOT_OPEN) {
            Posix.close(file);
            file = NOT_OPEN;
        }
    }
}
