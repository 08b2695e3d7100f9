package dev.stoker.io;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A file that processes on several nodes write at once, as one of them writes it: only pages that it fills alone. The
 * other bytes go to the {@link PageEdges}.
 *
 * <p>A client of NFS, and of other filesystems without coherent caches, may write back the whole page when a part of it
 * was written, with whatever it last saw of the rest. Two nodes that each write their part of one page so destroy each
 * other's.
 */
final class WholePageFile extends OutputFile {
    /** The largest page of the machines that clusters have (arm64), so that it holds for all clients of a file. */
    static final int PAGE = 1 << 16;

    private final OutputFile file;
    private final long length;
    private final PageEdges edges;
    private final Map<Long, Page> pages = new HashMap<>();

    /** A page that was filled in part. */
    private static final class Page {
        final byte[] bytes = new byte[PAGE];
        final BitSet filled = new BitSet(PAGE);
    }

    /** @param length what the file will have, so that its last page is whole when it is filled up to there */
    WholePageFile(OutputFile file, long length, PageEdges edges) {
        super(file.path());
        this.file = file;
        this.length = length;
        this.edges = edges;
    }

    @Override
    public void write(long offset, MemorySegment bytes) {
        long end = offset + bytes.byteSize();
        long firstWhole = Math.min(end, roundUp(offset));
        long lastWhole = end == length ? end : Math.max(firstWhole, end / PAGE * PAGE);
        if (offset < firstWhole) {
            keep(offset, bytes.asSlice(0, firstWhole - offset));
        }
        if (firstWhole < lastWhole) {
            file.write(firstWhole, bytes.asSlice(firstWhole - offset, lastWhole - firstWhole));
        }
        if (lastWhole < end) {
            keep(lastWhole, bytes.asSlice(lastWhole - offset));
        }
    }

    private static long roundUp(long offset) {
        return Math.ceilDiv(offset, PAGE) * PAGE;
    }

    /** Keeps a part of a page until the rest of it comes. */
    private void keep(long offset, MemorySegment part) {
        long number = offset / PAGE;
        Page whole = add(number, (int) (offset % PAGE), part);
        if (whole != null) {
            file.write(number * PAGE, MemorySegment.ofArray(whole.bytes).asSlice(0, size(number)));
        }
    }

    /** Returns the page if it is whole now. */
    private synchronized @Nullable Page add(long number, int from, MemorySegment part) {
        Page page = pages.computeIfAbsent(number, key -> new Page());
        MemorySegment.copy(part, 0, MemorySegment.ofArray(page.bytes), from, part.byteSize());
        page.filled.set(from, from + (int) part.byteSize());
        if (page.filled.nextClearBit(0) < size(number)) {
            return null;
        }
        pages.remove(number);
        return page;
    }

    private long size(long page) {
        return Math.min(PAGE, length - page * PAGE);
    }

    /** Reads what is in the file: not what this process wrote into pages that it did not fill. */
    @Override
    public boolean read(long offset, MemorySegment to) {
        return file.read(offset, to);
    }

    @Override
    public long size() {
        return file.size();
    }

    @Override
    public void resize(long size) {
        throw new IllegalStateException("[" + path() + "] has its length from the process that made it");
    }

    @Override
    public void sync() {
        file.sync();
    }

    @Override
    public void close() {
        try (file) {
            new TreeMap<>(pages).forEach((number, page) -> leave(number * PAGE, page));
            pages.clear();
        }
    }

    private void leave(long start, Page page) {
        for (int from = page.filled.nextSetBit(0); from >= 0; ) {
            int end = page.filled.nextClearBit(from);
            edges.add(path(), start + from, MemorySegment.ofArray(page.bytes).asSlice(from, end - from));
            from = page.filled.nextSetBit(end);
        }
    }
}
