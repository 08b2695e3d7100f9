package dev.stoker.bench.advise;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.os.FileErrors;
import dev.stoker.os.Posix;
import dev.stoker.text.Utf8;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Counts the files below a folder by its names alone, many folders at a time, and picks some of them evenly. Takes the
 * same memory for a thousand files and for a billion.
 */
final class FolderScan {
    private static final int MOST_DEPTH = 256;
    private static final int MOST_PENDING = 1 << 20;
    private static final int LOOK_EVERY = 1024;

    private final Path root;
    private final byte[] rootName;
    private final Deadline deadline;
    private final Progress progress;
    private final NameSample sample;
    private final ArrayDeque<Folder> pending = new ArrayDeque<>();
    /** Folders that symbolic links lead to, or may lead to: a link to one of them is a loop, or says nothing new. */
    private final Set<List<Long>> met = new HashSet<>();

    private int busy;
    private long files;
    private long folders;
    private long problems;
    private String firstProblem = "";
    private boolean isCut;

    private record Folder(byte[] path, int depth) {}

    /**
     * What was found.
     *
     * @param isAll false if the time was over before all was listed
     * @param names some of the files, below the folder
     */
    record Found(long files, long folders, boolean isAll, List<byte[]> names, DataSurvey.Problems problems) {}

    /** Stops the listing of a folder in its middle. */
    private static final class Enough extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Enough() {
            super(null, null, false, false);
        }
    }

    private FolderScan(Path root, int mostNames, Deadline deadline, Progress progress) {
        this.root = root;
        this.rootName = root.toString().getBytes(StandardCharsets.UTF_8);
        this.deadline = deadline;
        this.progress = progress;
        this.sample = new NameSample(mostNames);
    }

    static Found scan(Path root, int mostNames, Deadline deadline, Progress progress) {
        var scan = new FolderScan(root, mostNames, deadline, progress);
        scan.pending.push(new Folder(new byte[0], 0));
        try {
            // The folder itself has to be there; of those below it each can be gone or closed.
            Posix.close(Posix.open(Posix.HERE, scan.rootName));
        } catch (IOException e) {
            throw FileErrors.cannotRead(root, e);
        }
        FixedPool.run(StorageTrial.MANY, StorageTrial.MANY, deadline, _ -> scan.work());
        return scan.found();
    }

    private synchronized Found found() {
        return new Found(
                files,
                folders,
                !isCut && pending.isEmpty() && busy == 0,
                sample.names(),
                new DataSurvey.Problems(problems, firstProblem));
    }

    private void work() {
        for (Folder folder = take(); folder != null; folder = take()) {
            try {
                list(folder);
            } finally {
                giveBack();
            }
        }
    }

    private synchronized @Nullable Folder take() {
        try {
            while (pending.isEmpty() && busy > 0 && !deadline.isOver()) {
                wait(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StokerException("interrupted", e);
        }
        if (pending.isEmpty() || deadline.isOver()) {
            return null;
        }
        busy++;
        folders++;
        return pending.pop();
    }

    private synchronized void giveBack() {
        busy--;
        notifyAll();
    }

    private void list(Folder folder) {
        var names = new int[1];
        try {
            Posix.list(Posix.HERE, absolute(folder.path), (name, kind) -> {
                if (++names[0] % LOOK_EVERY == 0 && deadline.isOver()) {
                    throw new Enough();
                }
                meet(folder, joined(folder.path, name), kind);
            });
        } catch (Enough e) {
            synchronized (this) {
                isCut = true;
            }
        } catch (IOException e) {
            addProblem(folder.path, e.getMessage());
        }
    }

    private void meet(Folder parent, byte[] path, Posix.Kind kind) {
        switch (kind) {
            case FILE -> {
                if (Utf8.firstMalformed(path, 0, path.length) < 0) {
                    addFile(path);
                } else {
                    addProblem(path, "its name is not UTF-8");
                }
            }
            case FOLDER -> addFolder(new Folder(joined(path, new byte[] {'/'}), parent.depth + 1));
            case LINK, UNKNOWN -> follow(parent, path);
            case OTHER -> addProblem(path, "it is neither a file nor a folder");
        }
    }

    private void follow(Folder parent, byte[] path) {
        try {
            Posix.Stat stat = Posix.stat(Posix.HERE, absolute(path));
            if (stat.kind() != Posix.Kind.FOLDER || isNew(stat)) {
                meet(parent, path, stat.kind());
            }
        } catch (IOException e) {
            addProblem(path, e.getMessage());
        }
    }

    private synchronized boolean isNew(Posix.Stat folder) {
        isCut |= met.size() >= MOST_PENDING;
        return met.size() < MOST_PENDING && met.add(List.of(folder.device(), folder.inode()));
    }

    private synchronized void addFile(byte[] path) {
        files++;
        progress.add(1, 0);
        sample.offer(path);
    }

    private synchronized void addFolder(Folder folder) {
        if (folder.depth > MOST_DEPTH || pending.size() >= MOST_PENDING) {
            isCut = true;
        } else {
            pending.push(folder);
            notifyAll();
        }
    }

    private synchronized void addProblem(byte[] path, @Nullable String reason) {
        if (problems++ == 0) {
            firstProblem = root + "/" + new String(path, StandardCharsets.UTF_8) + ": " + reason;
        }
    }

    private byte[] absolute(byte[] path) {
        return path.length == 0 ? rootName : joined(joined(rootName, new byte[] {'/'}), path);
    }

    private static byte[] joined(byte[] a, byte[] b) {
        byte[] both = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, both, a.length, b.length);
        return both;
    }
}
