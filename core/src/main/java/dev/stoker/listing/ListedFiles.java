package dev.stoker.listing;

import dev.stoker.StokerException;
import dev.stoker.io.Fingerprints;
import dev.stoker.io.LittleEndian;
import dev.stoker.os.FileErrors;
import dev.stoker.remote.RemoteException;
import dev.stoker.remote.RemotePath;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * Values that are files below one folder. Sizes and times were listed; a file that has others when it is read has
 * changed in between, and is refused.
 */
public final class ListedFiles implements ListedColumn {
    private static final long BAD = -1;

    private final Path root;
    private final FileAccess access;
    private final ListedValues names;
    private final Arena arena = Arena.ofShared();
    /** For each file its size and its time; a size of {@link #BAD} for one that cannot be read. */
    private final MemorySegment stats;

    private boolean hasBad;

    private ListedFiles(Path root, ListedValues names, FileAccess access) {
        this.root = root;
        this.names = names;
        this.access = access;
        this.stats = arena.allocate(Math.max(16, 16 * names.count()), 8);
    }

    /** The files below a folder that have these names. */
    public static ListedFiles of(Path root, ListedValues names) {
        return new ListedFiles(
                root, names, root instanceof RemotePath remote ? RemoteFiles.named(remote) : new LocalFiles(root));
    }

    /**
     * All files below a folder.
     *
     * @param columns gets the names and the files, so that both are closed with it
     */
    static ListedFiles find(Path root, ListingContext context, List<ListedColumn> columns) {
        ListedFiles files;
        SourceFilter filter = context.filter();
        if (root instanceof RemotePath remote) {
            var names = new ListedValues();
            RemoteFiles listed = RemoteFiles.list(remote, names, filter);
            Set<Long> manifests = filter.manifests(root, names);
            names = names.without(manifests);
            columns.add(names);
            files = new ListedFiles(root, names, listed.without(manifests));
        } else {
            ListedValues names = FolderWalk.walk(
                    root, context.threads(), context.bad(), OutputExclusion.of(root, context.output()), filter);
            names = names.without(filter.manifests(root, names));
            columns.add(names);
            files = of(root, names);
        }
        columns.add(files);
        files.listAll(context, sample -> "");
        filter.lookAt(files);
        return files;
    }

    ListedValues names() {
        return names;
    }

    /**
     * Asks for size and time of every file, many at a time.
     *
     * @param named for a file the place that names it, to be put before a message about it
     */
    public void listAll(ListingContext context, LongFunction<String> named) {
        BadFilePolicy bad = context.bad();
        context.each("files", describeNames(context), names.count(), stats, 16, sample -> {
            try {
                list(sample, bad.areSkipped());
            } catch (RemoteException e) {
                throw e; // that is not the file's fault
            } catch (StokerException e) {
                stats.set(LittleEndian.U64, 16 * sample, BAD);
                bad.found(path(sample), new StokerException(named.apply(sample) + e.getMessage(), e));
            }
        });
        context.shareBad();
        for (long i = 0; bad.areSkipped() && i < names.count(); i++) {
            hasBad |= isBad(i);
        }
    }

    /** What ranks have to agree on before they share the work on it. */
    private String describeNames(ListingContext context) {
        if (context.team().world() == 1) {
            return "";
        }
        MessageDigest digest = Fingerprints.begin();
        names.fingerprint(digest);
        return names.count() + " files whose names have the hash "
                + Fingerprints.end(digest).substring(0, 16);
    }

    private void list(long sample, boolean open) {
        try {
            FileAccess.Stat stat = access.stat(sample, names.get(sample), open);
            stats.set(LittleEndian.U64, 16 * sample, stat.size());
            stats.set(LittleEndian.U64, 16 * sample + 8, stat.version());
        } catch (IOException e) {
            throw FileErrors.cannotRead(path(sample), e);
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
        return stats.get(LittleEndian.U64, 16 * sample);
    }

    @Override
    public void read(long sample, long from, MemorySegment to) {
        var listed = new FileAccess.Stat(length(sample), stats.get(LittleEndian.U64, 16 * sample + 8));
        try {
            FileAccess.Stat now = access.read(sample, names.get(sample), listed, from, to);
            if (now.size() != listed.size()) {
                throw changed(sample, "it had " + listed.size() + " bytes and now has " + now.size());
            }
            if (now.version() != listed.version()) {
                throw changed(sample, "its modification time changed");
            }
        } catch (IOException e) {
            throw FileErrors.cannotRead(path(sample), e);
        }
    }

    private StokerException changed(long sample, String how) {
        return new StokerException(
                path(sample),
                "changed while it was being packed: " + how + ". Pack again when nothing writes to the source");
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
            access.close();
        }
    }
}
