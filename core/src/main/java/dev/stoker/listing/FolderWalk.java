package dev.stoker.listing;

import dev.stoker.StokerException;
import dev.stoker.container.PartialPackCheck;
import dev.stoker.os.FileErrors;
import dev.stoker.os.Posix;
import dev.stoker.text.Utf8;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Finds all files below a folder, many folders at a time, and gives their paths in bytewise order. Symbolic links are
 * followed; one that leads back to a folder above it is an error.
 */
final class FolderWalk {
    private static final int MAX_DEPTH = 256;
    private static final int ASK_STEP = 32;

    private final Path root;
    private final byte[] rootName;
    private final ExecutorService pool;
    private final BadFilePolicy bad;
    private final OutputExclusion output;
    private final SourceFilter filter;

    private FolderWalk(
            Path root, ExecutorService pool, BadFilePolicy bad, OutputExclusion output, SourceFilter filter) {
        this.root = root;
        this.rootName = root.toString().getBytes(StandardCharsets.UTF_8);
        this.pool = pool;
        this.bad = bad;
        this.output = output;
        this.filter = filter;
    }

    /** A file or folder. {@code order} is its name, with a slash after a folder's: so names sort as whole paths do. */
    private record Entry(byte[] order, @Nullable CompletableFuture<Folder> below) {}

    /**
     * The entries of one folder, unsorted; folders among them are already being read. Where the folder does not say what
     * an entry is, that is asked for in pieces, which many threads do at once.
     */
    private record Folder(List<Entry> known, List<CompletableFuture<List<Entry>>> asked) {
        List<Entry> sorted() {
            var all = new ArrayList<>(known);
            asked.forEach(piece -> all.addAll(piece.join()));
            all.sort((a, b) -> Arrays.compareUnsigned(a.order(), b.order()));
            return all;
        }
    }

    /** Finds all files. */
    static ListedValues walk(Path root, int threads, BadFilePolicy bad) {
        return walk(root, threads, bad, OutputExclusion.of(root, null), SourceFilter.everything());
    }

    /** Finds all but those of an output, and those that the filter leaves out. */
    static ListedValues walk(Path root, int threads, BadFilePolicy bad, OutputExclusion output, SourceFilter filter) {
        var names = new ListedValues();
        ExecutorService pool = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().daemon().factory());
        try {
            var walk = new FolderWalk(root, pool, bad, output, filter);
            walk.collect(new byte[0], walk.folder(new byte[0], 0), names);
            return names;
        } catch (CompletionException e) {
            names.close();
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        } catch (RuntimeException e) {
            names.close();
            throw e;
        } finally {
            pool.shutdownNow();
        }
    }

    private void collect(byte[] prefix, Folder folder, ListedValues names) {
        for (Entry entry : folder.sorted()) {
            byte[] path = joined(prefix, entry.order());
            if (entry.below() == null) {
                collect(path, names);
            } else {
                collect(path, entry.below().join(), names);
            }
        }
    }

    private void collect(byte[] path, ListedValues names) {
        if (Utf8.firstMalformed(path, 0, path.length) < 0) {
            names.add(path);
            return;
        }
        String shown = new String(path, StandardCharsets.ISO_8859_1);
        bad.found(
                root + "/" + shown,
                new StokerException(
                        root,
                        "the name '" + shown
                                + "' is not UTF-8 (shown as Latin-1); rename it, for example with convmv"));
    }

    private Folder folder(byte[] path, int depth) {
        if (depth > MAX_DEPTH) {
            throw new StokerException(shown(path), "folders are nested deeper than " + MAX_DEPTH);
        }
        var folder = new Folder(new ArrayList<>(), new ArrayList<>());
        var unknown = new ArrayList<byte[]>();
        try {
            Posix.list(Posix.HERE, absolute(path), (name, kind) -> {
                if (output.has(path, name)) {
                    return;
                }
                if (PartialPackCheck.isJournal(name)) {
                    throw PartialPackCheck.heldBy(shown(path), name);
                }
                if (kind == Posix.Kind.LINK || kind == Posix.Kind.UNKNOWN) {
                    unknown.add(name);
                } else {
                    addEntry(folder.known(), path, name, kind, depth);
                }
            });
        } catch (IOException e) {
            StokerException failure = FileErrors.cannotRead(shown(path), e);
            if (depth == 0) {
                throw failure;
            }
            bad.found(shown(path), failure);
        }
        for (int from = 0; from < unknown.size(); from += ASK_STEP) {
            List<byte[]> names = unknown.subList(from, Math.min(unknown.size(), from + ASK_STEP));
            folder.asked().add(CompletableFuture.supplyAsync(() -> ask(path, names, depth), pool));
        }
        return folder;
    }

    private List<Entry> ask(byte[] parent, List<byte[]> names, int depth) {
        var entries = new ArrayList<Entry>();
        for (byte[] name : names) {
            addEntry(entries, parent, name, Posix.Kind.UNKNOWN, depth);
        }
        return entries;
    }

    /** Adds what is found, unless it is bad and left out. */
    private void addEntry(List<Entry> entries, byte[] parent, byte[] name, Posix.Kind listed, int depth) {
        byte[] path = joined(parent, name);
        if (filter.isHidden(name)) {
            filter.leaveOutHidden(parent, name, isFolder(path, listed));
            return;
        }
        try {
            Posix.Kind kind = listed == Posix.Kind.UNKNOWN ? followed(path) : listed;
            boolean isLeftOut = kind == Posix.Kind.FILE && !filter.takesFile(path)
                    || kind == Posix.Kind.FOLDER && !filter.entersFolder(path);
            if (!isLeftOut) {
                entries.add(entry(path, name, depth, kind));
            }
        } catch (StokerException e) {
            bad.found(shown(path), e);
        }
    }

    private Entry entry(byte[] path, byte[] name, int depth, Posix.Kind kind) {
        return switch (kind) {
            case FILE -> new Entry(name, null);
            case FOLDER -> {
                byte[] below = joined(path, new byte[] {'/'});
                yield new Entry(
                        joined(name, new byte[] {'/'}),
                        CompletableFuture.supplyAsync(() -> folder(below, depth + 1), pool));
            }
            default ->
                throw new StokerException(
                        shown(path),
                        "is neither a file nor a folder (a socket, pipe or device); take it out of the source");
        };
    }

    /** Of something that is left out: a link that leads nowhere is no error then. */
    private boolean isFolder(byte[] path, Posix.Kind listed) {
        try {
            return (listed == Posix.Kind.UNKNOWN
                            ? Posix.stat(Posix.HERE, absolute(path)).kind()
                            : listed)
                    == Posix.Kind.FOLDER;
        } catch (IOException e) {
            return false;
        }
    }

    private Posix.Kind followed(byte[] path) {
        try {
            Posix.Stat stat = Posix.stat(Posix.HERE, absolute(path));
            if (stat.kind() == Posix.Kind.FOLDER) {
                refuseLoop(path, stat);
            }
            return stat.kind();
        } catch (IOException e) {
            throw new StokerException(
                    shown(path),
                    "cannot be read: " + e.getMessage() + "; if it is a symbolic link, what it points to is missing",
                    e);
        }
    }

    private void refuseLoop(byte[] path, Posix.Stat target) throws IOException {
        for (int end = 0; end < path.length; end++) {
            if (end == 0 || path[end] == '/') {
                Posix.Stat above = Posix.stat(Posix.HERE, absolute(Arrays.copyOf(path, end)));
                if (above.inode() == target.inode() && above.device() == target.device()) {
                    throw new StokerException(shown(path), "is a symbolic link to a folder above itself");
                }
            }
        }
    }

    private byte[] absolute(byte[] path) {
        return path.length == 0 ? rootName : joined(joined(rootName, new byte[] {'/'}), path);
    }

    private String shown(byte[] path) {
        return new String(absolute(path), StandardCharsets.UTF_8);
    }

    private static byte[] joined(byte[] a, byte[] b) {
        byte[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }
}
