package dev.stoker.listing;

import dev.stoker.StokerException;
import dev.stoker.os.FileErrors;
import dev.stoker.os.Posix;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Files below a folder of this machine, by system calls that take raw names. */
final class LocalFiles implements FileAccess {
    private final Path root;
    private final int folder;

    LocalFiles(Path root) {
        this.root = root;
        try {
            this.folder = Posix.open(Posix.HERE, root.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw FileErrors.cannotRead(root, e);
        }
    }

    @Override
    public Stat stat(long number, byte[] name, boolean open) throws IOException {
        Posix.Stat stat = Posix.stat(folder, name);
        if (stat.kind() != Posix.Kind.FILE) {
            throw new StokerException(
                    path(name),
                    "is not a file but "
                            + (stat.kind() == Posix.Kind.FOLDER ? "a folder" : "a socket, pipe or device"));
        }
        if (open) {
            refuseUnreadable(name);
        }
        return new Stat(stat.size(), stat.modifiedNanos());
    }

    /** A file may be there and still not be readable; only who leaves such files out has to know it this early. */
    private void refuseUnreadable(byte[] name) throws IOException {
        int file = Posix.open(folder, name);
        try {
            refuseHiddenBytes(file, name);
        } finally {
            Posix.close(file);
        }
    }

    /** Some file systems make the bytes of a file when it is read, and say before that there are none. */
    private void refuseHiddenBytes(int file, byte[] name) throws IOException {
        try (var arena = Arena.ofConfined()) {
            boolean hasBytes = Posix.read(file, arena.allocate(1), 0) > 0;
            if (hasBytes && Posix.stat(file).size() == 0) {
                throw new StokerException(
                        path(name),
                        "has bytes although its size is 0, as files below /proc; copy it, and pack" + " the copy");
            }
        }
    }

    private String path(byte[] name) {
        return root + "/" + new String(name, StandardCharsets.UTF_8);
    }

    @Override
    public Stat read(long number, byte[] name, Stat listed, long from, MemorySegment to) throws IOException {
        int file = Posix.open(folder, name);
        try {
            if (listed.size() == 0) {
                refuseHiddenBytes(file, name);
            }
            long read = Posix.read(file, to, from);
            Posix.Stat now = Posix.stat(file);
            long size = read == to.byteSize() ? now.size() : Math.min(now.size(), from + read);
            return new Stat(size, now.modifiedNanos());
        } finally {
            Posix.close(file);
        }
    }

    @Override
    public void close() {
        Posix.close(folder);
    }
}
