package dev.stoker.listing;

import dev.stoker.StokerException;
import dev.stoker.os.ErrnoException;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListSet;

/** What to do with files of a source that cannot be read: stop at the first, or leave all of them out and say so. */
public final class BadFilePolicy {
    private final boolean skip;
    private final ConcurrentSkipListSet<BadFile> found =
            new ConcurrentSkipListSet<>(Comparator.comparing(BadFile::path).thenComparing(BadFile::reason));

    /** A file that was left out. */
    public record BadFile(String path, String reason) {}

    private BadFilePolicy(boolean skip) {
        this.skip = skip;
    }

    /** The first file that cannot be read is an error. */
    public static BadFilePolicy refused() {
        return new BadFilePolicy(false);
    }

    /** Files that cannot be read are left out. */
    public static BadFilePolicy skipped() {
        return new BadFilePolicy(true);
    }

    boolean areSkipped() {
        return skip;
    }

    /** Throws the failure, or remembers it; one that says nothing of the file is always thrown. */
    public void found(String path, StokerException failure) {
        if (!skip || isShortage(failure)) {
            throw failure;
        }
        String prefix = "[" + path + "] ";
        String message = String.valueOf(failure.getMessage());
        found.add(new BadFile(path, message.startsWith(prefix) ? message.substring(prefix.length()) : message));
    }

    private static boolean isShortage(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ErrnoException system && system.isShortage()) {
                return true;
            }
        }
        return false;
    }

    /** Remembers what another rank found. */
    void add(String path, String reason) {
        found.add(new BadFile(path, reason));
    }

    /** What was left out so far, sorted by path. */
    public List<BadFile> list() {
        return List.copyOf(found);
    }
}
