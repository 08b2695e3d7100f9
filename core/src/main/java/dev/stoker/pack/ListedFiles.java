package dev.stoker.pack;

import dev.stoker.StokerException;
import dev.stoker.memory.Layouts;
import dev.stoker.memory.MappedFile;
import dev.stoker.memory.Posix;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;

/**
 * Values that are files below one folder. Sizes and times were listed; a file that has others when it is read has
 * changed in between, and is refused.
 */
final class ListedFiles implements Listed {
    private final Path root;
    private final int folder;
    private final ListedValues names;
    private final Arena arena = Arena.ofShared();
    /** For each file its size and its time. */
    private final MemorySegment stats;

    ListedFiles(Path root, ListedValues names) {
        this.root = root;
        this.names = names;
        this.stats = arena.allocate(Math.max(16, 16 * names.count()), 8);
        try {
            this.folder = Posix.open(Posix.HERE, root.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            arena.close();
            throw MappedFile.cannotRead(root, e);
        }
    }

    /** Asks for size and time; may be called for different files by many threads at once. */
    void list(long sample) {
        try {
            Posix.Stat stat = Posix.stat(folder, names.get(sample));
            stats.set(Layouts.U64, 16 * sample, stat.size());
            stats.set(Layouts.U64, 16 * sample + 8, stat.modifiedNanos());
        } catch (IOException e) {
            throw MappedFile.cannotRead(path(sample), e);
        }
    }

    Path path(long sample) {
        return root.resolve(name(sample));
    }

    String name(long sample) {
        return new String(names.get(sample), StandardCharsets.UTF_8);
    }

    @Override
    public long length(long sample) {
        return stats.get(Layouts.U64, 16 * sample);
    }

    @Override
    public void read(long sample, long from, MemorySegment to) {
        int file;
        try {
            file = Posix.open(folder, names.get(sample));
        } catch (IOException e) {
            throw MappedFile.cannotRead(path(sample), e);
        }
        try {
            long read = Posix.read(file, to, from);
            Posix.Stat now = Posix.stat(file);
            long size = length(sample);
            if (read != to.byteSize() || now.size() != size) {
                throw changed(sample, "it had " + size + " bytes and now has " + now.size());
            }
            if (now.modifiedNanos() != stats.get(Layouts.U64, 16 * sample + 8)) {
                throw changed(sample, "its time of modification is another one");
            }
        } catch (IOException e) {
            throw MappedFile.cannotRead(path(sample), e);
        } finally {
            Posix.close(file);
        }
    }

    private StokerException changed(long sample, String how) {
        return new StokerException("[" + path(sample) + "] changed while it was being packed: " + how
                + ". Pack again when nothing writes to the source");
    }

    @Override
    public void fingerprint(MessageDigest digest) {
        names.fingerprint(digest);
        Fingerprints.add(digest, stats);
    }

    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
            Posix.close(folder);
        }
    }
}
