package dev.stoker.dataset;

import dev.stoker.UsageException;
import dev.stoker.os.Posix;
import dev.stoker.remote.RemotePath;
import dev.stoker.sample.Omission;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import dev.stoker.text.Spelling;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one file of a dataset, open or not. It is opened and closed under its own lock, so that different files
 * are at the same time; how many hold it, {@link DatasetFiles} guards.
 */
final class DatasetFile {
    private static final long CHECK_NANOS = 1_000_000_000L;

    final FilePatterns.Choice choice;
    // Set when the file is opened for the first time.
    Schema schema;
    Posix.Stat stat;
    String fingerprint;
    long first;
    long count;
    boolean isLoose;
    List<Omission> omissions;
    /** The dataset's fields in the order of the file's own. */
    int[] fields;

    volatile long checkedNanos = System.nanoTime();
    /** How many hold it; guarded by {@link DatasetFiles}. */
    int held;

    @Nullable
    OpenDatasetFile member;

    @SuppressWarnings("NullAway.Init")
    DatasetFile(FilePatterns.Choice choice) {
        this.choice = choice;
    }

    /** Opens the file if it is not; opening different files goes on at the same time. */
    synchronized OpenDatasetFile open() {
        OpenDatasetFile open = member;
        if (open == null) {
            open = openFile();
            member = open;
        }
        return open;
    }

    private OpenDatasetFile openFile() {
        Path path = choice.path();
        Posix.Stat now = OpenDatasetFile.stat(path);
        OpenDatasetFile opened = Dataset.openMember(path);
        try {
            if (stat == null) {
                learn(opened, now);
            } else {
                requireUnchanged(now);
            }
            return opened;
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private void learn(OpenDatasetFile opened, Posix.Stat now) {
        stat = now;
        schema = opened.samples().schema();
        fingerprint = opened.samples().fingerprint();
        isLoose = opened.isLoose();
        omissions = opened.samples().omissions();
        count = opened.samples().count();
        if (choice.split() != null) {
            Split split = find(opened.samples().splits(), choice);
            first = split.first();
            count = split.count();
        }
    }

    synchronized boolean isOpen() {
        return member != null;
    }

    synchronized void close() {
        OpenDatasetFile open = member;
        if (open != null) {
            member = null;
            open.close();
        }
    }

    /** Whether it is not on this machine. Then every read notices by itself when it is no longer what it was. */
    boolean isRemote() {
        return choice.path() instanceof RemotePath;
    }

    /** Reports a file that is no longer what it was; looks at it at most once a second. */
    void checkNowAndThen() {
        long now = System.nanoTime();
        if (!isRemote() && now - checkedNanos > CHECK_NANOS) {
            checkedNanos = now;
            requireUnchanged();
        }
    }

    /** Files in a folder come and go. */
    boolean isFolder() {
        return stat.kind() == Posix.Kind.FOLDER;
    }

    /** Reports a file that is no longer what it was. */
    void requireUnchanged() {
        if (!isFolder()) {
            requireUnchanged(OpenDatasetFile.stat(choice.path()));
        }
    }

    private void requireUnchanged(Posix.Stat now) {
        if (isFolder() || stat.equals(now)) {
            return;
        }
        String what = stat.size() != now.size()
                ? "it had " + stat.size() + " bytes and now has " + now.size()
                : stat.inode() != now.inode() || stat.device() != now.device()
                        ? "another file has its name"
                        : "it was written at another time";
        throw new ChangedFileException("[" + choice.path() + "] changed while it was read: " + what
                + ". Delivered samples may mix both versions; restart with a file that doesn't change");
    }

    private static Split find(List<Split> splits, FilePatterns.Choice choice) {
        for (Split split : splits) {
            if (split.name().equals(choice.split())) {
                return split;
            }
        }
        String wanted = String.valueOf(choice.split());
        List<String> names = splits.stream().map(Split::name).toList();
        throw new UsageException("[" + choice.path() + "] has no split '" + wanted + "'; "
                + (names.isEmpty() ? "it has none" : "its splits are " + String.join(", ", names))
                + Spelling.hint(wanted, names));
    }
}
