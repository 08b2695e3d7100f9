package dev.stoker.pack;

import dev.stoker.StokerException;
import dev.stoker.memory.MappedFile;
import dev.stoker.memory.Posix;
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
            throw MappedFile.cannotRead(root, e);
        }
    }

    @Override
    public Stat stat(long number, byte[] name, boolean open) throws IOException {
        Posix.Stat stat = Posix.stat(folder, name);
        if (stat.kind() != Posix.Kind.FILE) {
            throw new StokerException(
                    "[" + root + "/" + new String(name, StandardCharsets.UTF_8) + "] is not a file but "
                            + (stat.kind() == Posix.Kind.FOLDER ? "a folder" : "a socket, pipe or device"));
        }
        if (open) {
            refuseUnreadable(name, stat.size());
        }
        return new Stat(stat.size(), stat.modifiedNanos());
    }

    /** A file may be there and still not be readable; only who leaves such files out has to know it this early. */
    private void refuseUnreadable(byte[] name, long size) throws IOException {
        int file = Posix.open(folder, name);
        try (var arena = Arena.ofConfined()) {
            Posix.read(file, arena.allocate(Math.min(1, size)), 0);
        } finally {
            Posix.close(file);
        }
    }

    @Override
    public Stat read(long number, byte[] name, Stat listed, long from, MemorySegment to) throws IOException {
        int file = Posix.open(folder, name);
        try {
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
