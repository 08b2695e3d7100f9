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
import java.util.Arrays;
import java.util.function.LongFunction;

/**
 * Values that are files below one folder. Sizes and times were listed; a file that has others when it is read has
 * changed in between, and is refused.
 */
final class ListedFiles implements Listed {
    private static final long BAD = -1;

    private final Path root;
    private final int folder;
    private final ListedValues names;
    private final Arena arena = Arena.ofShared();
    /** For each file its size and its time; a size of {@link #BAD} for one that cannot be read. */
    private final MemorySegment stats;

    private boolean hasBad;

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

    /**
     * Asks for size and time of every file, many at a time.
     *
     * @param named for a file the place that names it, to be put before a message about it
     */
    void listAll(Survey survey, LongFunction<String> named) {
        BadFiles bad = survey.bad();
        survey.each("files", describeNames(survey), names.count(), stats, 16, sample -> {
            try {
                list(sample, bad.areSkipped());
            } catch (StokerException e) {
                stats.set(Layouts.U64, 16 * sample, BAD);
                bad.found(path(sample), new StokerException(named.apply(sample) + e.getMessage(), e));
            }
        });
        survey.shareBad();
        for (long i = 0; bad.areSkipped() && i < names.count(); i++) {
            hasBad |= isBad(i);
        }
    }

    /** What ranks have to agree on before they share the work on it. */
    private String describeNames(Survey survey) {
        if (survey.team().world() == 1) {
            return "";
        }
        MessageDigest digest = Fingerprints.begin();
        names.fingerprint(digest);
        return names.count() + " files whose names have the hash "
                + Fingerprints.end(digest).substring(0, 16);
    }

    private void list(long sample, boolean open) {
        try {
            byte[] name = names.get(sample);
            Posix.Stat stat = Posix.stat(folder, name);
            if (stat.kind() != Posix.Kind.FILE) {
                throw new StokerException("[" + path(sample) + "] is not a file but "
                        + (stat.kind() == Posix.Kind.FOLDER ? "a folder" : "a socket, pipe or device"));
            }
            if (open) {
                refuseUnreadable(name, stat.size());
            }
            stats.set(Layouts.U64, 16 * sample, stat.size());
            stats.set(Layouts.U64, 16 * sample + 8, stat.modifiedNanos());
        } catch (IOException e) {
            throw MappedFile.cannotRead(path(sample), e);
        }
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

    boolean hasBad() {
        return hasBad;
    }

    boolean isBad(long sample) {
        return length(sample) == BAD;
    }

    long count() {
        return names.count();
    }

    boolean nameEndsWith(long sample, byte[] ending) {
        byte[] name = names.get(sample);
        return name.length >= ending.length
                && Arrays.equals(name, name.length - ending.length, name.length, ending, 0, ending.length);
    }

    /** The file's path for messages; text, since a Path holds only what the locale can write. */
    String path(long sample) {
        return root + "/" + new String(names.get(sample), StandardCharsets.UTF_8);
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
