package dev.stoker.write;

import dev.stoker.StokerException;
import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.OutputFile;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The runs of an unfinished pack that are done: the plan's fingerprint (64 hex digits and a newline), then for each run
 * u32 number, u32 checksum of its bytes, u32 checksum of these two. The number 2^32-1 says that all is filled; it is
 * there before anything gets its final name. Of the runs nothing is trusted: a resumed pack compares every one that is
 * named with its checksum, so a journal that reached the disk before its data does no harm.
 */
final class Journal implements AutoCloseable {
    private static final int HEAD = 65;
    private static final int RECORD = 12;
    /** Stands for the number of a run in the last record. */
    private static final int SEALED = -1;

    /** The journals of this process. */
    private static final Set<Path> OPEN = ConcurrentHashMap.newKeySet();

    private final OutputFile file;
    private final Map<Integer, Integer> earlier;
    private long end;

    private Journal(OutputFile file, long end, Map<Integer, Integer> earlier) {
        this.file = file;
        this.end = end;
        this.earlier = Map.copyOf(earlier);
    }

    /**
     * Opens a journal and locks it, so that two packs never write to the same output.
     *
     * @param resume whether an earlier try of the same plan is gone on with; one of another plan never is
     */
    static Journal open(Path path, String fingerprint, boolean resume) {
        // Where the filesystem has no locks, this at least keeps two packs of one process apart.
        if (!OPEN.add(path)) {
            throw inUse(path);
        }
        try {
            OutputFile file = OutputFile.claim(path);
            if (file == null) {
                throw inUse(path);
            }
            return open(file, fingerprint, resume);
        } catch (RuntimeException e) {
            OPEN.remove(path);
            throw e;
        }
    }

    private static Journal open(OutputFile file, String fingerprint, boolean resume) {
        try {
            MemorySegment found = MemorySegment.ofArray(new byte[HEAD]);
            if (resume && file.read(0, found) && found.mismatch(head(fingerprint)) < 0) {
                return goOn(file);
            }
            file.resize(0);
            file.write(0, head(fingerprint));
            return new Journal(file, HEAD, Map.of());
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static StokerException inUse(Path path) {
        return new StokerException(
                path, "another process is packing to this output now; wait for it, or choose" + " another output");
    }

    private static Journal goOn(OutputFile file) {
        var earlier = new HashMap<Integer, Integer>();
        // A torn last record fails its checksum and is written over.
        long end = read(file, earlier);
        return new Journal(file, end, earlier);
    }

    /** Reads the records up to the first bad one; returns where that begins. */
    private static long read(OutputFile file, Map<Integer, Integer> done) {
        long end = HEAD;
        MemorySegment record = MemorySegment.ofArray(new byte[RECORD]);
        while (file.read(end, record) && record.get(LittleEndian.U32, 8) == Checksum.of(record.asSlice(0, 8))) {
            done.put(record.get(LittleEndian.U32, 0), record.get(LittleEndian.U32, 4));
            end += RECORD;
        }
        return end;
    }

    /** What the journal of another process says; nothing if it is of another plan. */
    static Map<Integer, Integer> read(Path path, String fingerprint) {
        var done = new HashMap<Integer, Integer>();
        try (OutputFile file = OutputFile.open(path)) {
            MemorySegment found = MemorySegment.ofArray(new byte[HEAD]);
            if (file.read(0, found) && found.mismatch(head(fingerprint)) < 0) {
                read(file, done);
            }
        }
        return done;
    }

    private static MemorySegment head(String fingerprint) {
        return MemorySegment.ofArray((fingerprint + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** The runs of an earlier try that should be done, with the checksums that they should have. */
    Map<Integer, Integer> earlier() {
        return earlier;
    }

    synchronized void done(int run, int checksum) {
        MemorySegment record = MemorySegment.ofArray(new byte[RECORD]);
        record.set(LittleEndian.U32, 0, run);
        record.set(LittleEndian.U32, 4, checksum);
        record.set(LittleEndian.U32, 8, Checksum.of(record.asSlice(0, 8)));
        file.write(end, record);
        end += RECORD;
    }

    /** Notes that everything is filled: what gets the final name from now on is of this plan. */
    void seal(boolean sync) {
        done(SEALED, 0);
        if (sync) {
            file.sync();
        }
    }

    /** Whether an earlier try noted that. */
    boolean isSealed() {
        return earlier.containsKey(SEALED);
    }

    @Override
    public void close() {
        OPEN.remove(file.path());
        file.close();
    }
}
