package dev.stoker.io;

import dev.stoker.StokerException;
import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a file should hold, as far as that differs from what it holds. It is found by writing what the file should hold
 * to a {@link PatchFile}; the file itself changes only by {@link #apply}. Any number of threads may write; a byte that was
 * written stays so.
 */
public final class FilePatch {
    /** Differences are found page by page; what lies between two of them in one page is written too. */
    private static final int PAGE = 4096;
    /** More than this is no damage but another file. */
    private static final long MOST_BYTES = 512L << 20;

    private final Path path;
    private final long foundSize;
    private final TreeMap<Long, byte[]> differences = new TreeMap<>();
    private @Nullable InputFile found;
    private long bytes;
    private long size;
    /** How many write to it; guarded by {@link FilePatches}. */
    int users;

    /** Bytes of a file that differ. */
    public record Range(long offset, long length) {
        public long end() {
            return offset + length;
        }
    }

    FilePatch(Path path) {
        this.path = path;
        try {
            this.foundSize = FileProbe.isFile(path) ? Files.size(path) : -1;
        } catch (IOException e) {
            throw FileErrors.cannotRead(path, e);
        }
        this.size = Math.max(0, foundSize);
    }

    public Path path() {
        return path;
    }

    /** What differs, in the order of the places. */
    public synchronized List<Range> ranges() {
        var ranges = new ArrayList<Range>();
        differences.forEach((offset, wanted) -> ranges.add(new Range(offset, wanted.length)));
        return ranges;
    }

    /** How many bytes are to be written. */
    public synchronized long bytes() {
        return bytes;
    }

    /** Whether nothing differs. */
    public synchronized boolean isEmpty() {
        return differences.isEmpty() && foundSize == size;
    }

    /** Whether the file has the length that it should have. */
    public synchronized boolean hasItsLength() {
        return foundSize == size;
    }

    void write(long offset, MemorySegment wanted) {
        var page = new byte[PAGE];
        for (long done = 0; done < wanted.byteSize(); ) {
            int length = (int) Math.min(PAGE - (offset + done) % PAGE, wanted.byteSize() - done);
            MemorySegment part = wanted.asSlice(done, length);
            MemorySegment there = MemorySegment.ofArray(page).asSlice(0, length);
            if (!isThere(offset + done, there)) {
                add(offset + done, part, 0, length);
            } else {
                int first = (int) part.mismatch(there);
                if (first >= 0) {
                    add(offset + done, part, first, lastDifference(part, there) + 1);
                }
            }
            done += length;
        }
        grow(offset + wanted.byteSize());
    }

    private static int lastDifference(MemorySegment one, MemorySegment other) {
        int last = (int) one.byteSize() - 1;
        while (one.get(ValueLayout.JAVA_BYTE, last) == other.get(ValueLayout.JAVA_BYTE, last)) {
            last--;
        }
        return last;
    }

    private synchronized void add(long place, MemorySegment wanted, int from, int to) {
        byte[] kept = wanted.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE);
        byte[] before = differences.put(place + from, kept);
        bytes += kept.length - (before == null ? 0 : before.length);
        if (bytes > MOST_BYTES) {
            throw new StokerException(
                    path,
                    "differs by more than " + MOST_BYTES
                            + " bytes from a fresh pack; too much for a repair: pack it again");
        }
    }

    private synchronized void grow(long end) {
        size = Math.max(size, end);
    }

    /** Reads what is there; false if it is not, or cannot be read. */
    private boolean isThere(long offset, MemorySegment to) {
        try {
            return offset + to.byteSize() <= foundSize && found().read(offset, to) == to.byteSize();
        } catch (IOException e) {
            return false; // What cannot be read is to be written.
        }
    }

    private synchronized InputFile found() {
        InputFile open = found;
        if (open == null) {
            open = InputFile.open(path);
            found = open;
        }
        return open;
    }

    /** Reads the file as it should be; false if it ends before. */
    synchronized boolean read(long offset, MemorySegment to) {
        if (offset + to.byteSize() > size) {
            return false;
        }
        for (long done = 0; done < to.byteSize(); ) {
            long length = Math.min(PAGE - (offset + done) % PAGE, to.byteSize() - done);
            MemorySegment page = to.asSlice(done, length);
            long there = Math.clamp(foundSize - offset - done, 0, length);
            if (!isThere(offset + done, page.asSlice(0, there))) {
                page.fill((byte) 0);
            }
            page.asSlice(there).fill((byte) 0);
            done += length;
        }
        Map.Entry<Long, byte[]> before = differences.floorEntry(offset);
        long from = before == null ? offset : before.getKey();
        differences.subMap(from, true, offset + to.byteSize(), false).forEach((at, wanted) -> {
            long start = Math.max(at, offset);
            long end = Math.min(at + wanted.length, offset + to.byteSize());
            if (start < end) {
                MemorySegment.copy(MemorySegment.ofArray(wanted), start - at, to, start - offset, end - start);
            }
        });
        return true;
    }

    synchronized long size() {
        return size;
    }

    synchronized void resize(long wanted) {
        size = wanted;
    }

    /** Closes the file until it is needed again. */
    synchronized void release() {
        if (found != null) {
            found.close();
            found = null;
        }
    }

    /** Writes what differs to the file, and waits until the disk has it. May be done again after it was interrupted. */
    synchronized void apply() {
        try {
            Path folder = path.getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
        } catch (IOException e) {
            throw FileErrors.cannotWrite(path, e);
        }
        try (OutputFile file = OutputFile.open(path)) {
            differences.forEach((offset, wanted) -> file.write(offset, MemorySegment.ofArray(wanted)));
            file.resize(size);
            file.sync();
        }
    }
}
