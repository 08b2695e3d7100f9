package dev.stoker.io;

import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The patches of several files. Any number of threads may use it. */
public final class FilePatches {
    private final SortedMap<Path, FilePatch> all = new TreeMap<>();

    /** A file as it should be, to be written. To be closed; that changes nothing. */
    public synchronized OutputFile file(Path path) {
        FilePatch patch = all.computeIfAbsent(path.toAbsolutePath().normalize(), FilePatch::new);
        patch.users++;
        return new PatchFile(this, patch);
    }

    /** One who wrote to a file is done. Of a folder of many files, few are kept. */
    synchronized void done(FilePatch patch) {
        patch.users--;
        if (patch.users == 0) {
            patch.release();
            if (patch.isEmpty()) {
                all.remove(patch.path());
            }
        }
    }

    /** How many bytes are to be written, in all files. */
    public long bytes() {
        return list().stream().mapToLong(FilePatch::bytes).sum();
    }

    /** The files that differ. */
    public synchronized List<FilePatch> list() {
        return all.values().stream().filter(patch -> !patch.isEmpty()).toList();
    }

    /** Writes everything that differs, and waits until the disk has it. */
    public void apply() {
        list().forEach(FilePatch::apply);
    }
}
