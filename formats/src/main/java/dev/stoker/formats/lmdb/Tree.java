package dev.stoker.formats.lmdb;

import dev.stoker.format.Run;
import dev.stoker.format.RunWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * A database before its first byte is written: a B+tree that is filled from the left. Where a page begins is kept for
 * each leaf; what lies in it is counted again when it is written.
 */
final class Tree {
    private static final long RUN_BYTES = 4 << 20;
    private static final long RUN_VALUES = 512;

    /** A piece of the file that one writer fills. */
    record Piece(Run run, Consumer<RunWriter> fill) {}

    /** Values in overflow pages that are written together: those among some entries. */
    private record Stretch(long entry, long endEntry, long overflow, long endOverflow) {}

    private final Entries entries;
    private final int pageBytes;
    private final long firstPage;
    /** The first entry of each leaf, and how many overflow pages the leaves before it have; one more for the end. */
    private final long[] leafEntries;

    private final long[] leafOverflows;
    private final List<Stretch> stretches = new ArrayList<>();
    private final List<BranchLevel> branches = new ArrayList<>();
    private final long overflowPages;

    Tree(Entries entries, int pageBytes, long firstPage) {
        this.entries = entries;
        this.pageBytes = pageBytes;
        this.firstPage = firstPage;
        var starts = LongStream.builder();
        var overflows = LongStream.builder();
        this.overflowPages = cutLeaves(starts, overflows);
        this.leafEntries = starts.add(entries.count()).build().toArray();
        this.leafOverflows = overflows.add(overflowPages).build().toArray();
        long page = firstPage + leaves();
        long[] below = leafEntries;
        long belowPage = firstPage;
        while (below.length > 2) {
            var level = new BranchLevel(entries, pageBytes, below, belowPage, page);
            branches.add(level);
            below = level.firstEntries();
            belowPage = page;
            page += level.pages();
        }
    }

    private int leaves() {
        return leafEntries.length - 1;
    }

    /** Notes where each leaf begins; returns how many overflow pages there are. */
    private long cutLeaves(LongStream.Builder starts, LongStream.Builder overflows) {
        long overflow = 0;
        long room = 0;
        long stretchEntry = 0;
        long stretchOverflow = 0;
        long stretchValues = 0;
        for (long e = 0; e < entries.count(); e++) {
            int keyBytes = entries.keyBytes(e);
            long valueBytes = entries.valueBytes(e);
            boolean isBig = Page.isBig(pageBytes, keyBytes, valueBytes);
            int needed = Page.POINTER_BYTES + nodeBytes(keyBytes, valueBytes, isBig);
            if (needed > room) {
                starts.add(e);
                overflows.add(overflow);
                room = (long) pageBytes - Page.HEADER_BYTES;
            }
            room -= needed;
            if (isBig) {
                overflow = Math.addExact(overflow, Page.overflowPages(pageBytes, valueBytes));
                stretchValues++;
            }
            if ((overflow - stretchOverflow) * pageBytes >= RUN_BYTES || stretchValues >= RUN_VALUES) {
                stretches.add(new Stretch(stretchEntry, e + 1, stretchOverflow, overflow));
                stretchEntry = e + 1;
                stretchOverflow = overflow;
                stretchValues = 0;
            }
        }
        if (overflow > 0 && stretchEntry < entries.count()) {
            stretches.add(new Stretch(stretchEntry, entries.count(), stretchOverflow, overflow));
        }
        return overflow;
    }

    private static int nodeBytes(int keyBytes, long valueBytes, boolean isBig) {
        return Page.even(Page.NODE_BYTES + keyBytes + (isBig ? Page.OVERFLOW_NUMBER_BYTES : (int) valueBytes));
    }

    private long branchPages() {
        return branches.stream().mapToLong(BranchLevel::pages).sum();
    }

    /** The page behind the last. */
    long endPage() {
        return overflowPage() + overflowPages;
    }

    private long overflowPage() {
        return firstPage + leaves() + branchPages();
    }

    Database database() {
        if (entries.count() == 0) {
            return Database.EMPTY;
        }
        return new Database(
                0, 1 + branches.size(), branchPages(), leaves(), overflowPages, entries.count(), overflowPage() - 1);
    }

    /**
     * The pieces of the file that make this tree.
     *
     * @param firstSample the samples that the entries are, if the progress is counted by this tree, else -1
     */
    List<Piece> pieces(long firstSample) {
        var pieces = new ArrayList<Piece>();
        long perRun = Math.max(1, RUN_BYTES / pageBytes);
        boolean leavesCount = firstSample >= 0 && stretches.isEmpty();
        for (long leaf = 0; leaf < leaves(); leaf += perRun) {
            int from = (int) leaf;
            int to = (int) Math.min(leaves(), leaf + perRun);
            Run run = run(
                    leavesCount ? firstSample : -1, leafEntries[from], leafEntries[to], firstPage + from, to - from);
            pieces.add(new Piece(run, out -> fillLeaves(from, to, out)));
        }
        if (!branches.isEmpty()) {
            Run run = run(-1, 0, 0, firstPage + leaves(), branchPages());
            pieces.add(new Piece(run, out -> branches.forEach(level -> level.fill(out))));
        }
        for (Stretch s : stretches) {
            Run run = run(firstSample, s.entry, s.endEntry, overflowPage() + s.overflow, s.endOverflow - s.overflow);
            pieces.add(new Piece(run, out -> fillOverflow(s, out)));
        }
        return pieces;
    }

    private Run run(long firstSample, long entry, long endEntry, long page, long pages) {
        long offset = page * pageBytes;
        long length = pages * pageBytes;
        return firstSample < 0
                ? Run.frame(offset, length)
                : new Run(firstSample + entries.rank(entry), firstSample + entries.rank(endEntry), offset, length);
    }

    private void fillLeaves(int from, int to, RunWriter out) {
        for (int leaf = from; leaf < to; leaf++) {
            fillLeaf(leaf, out);
        }
    }

    private void fillLeaf(int leaf, RunWriter out) {
        long first = leafEntries[leaf];
        int count = (int) (leafEntries[leaf + 1] - first);
        var nodeBytes = new int[count];
        var valueBytes = new long[count];
        for (int i = 0; i < count; i++) {
            int keyBytes = entries.keyBytes(first + i);
            valueBytes[i] = entries.valueBytes(first + i);
            nodeBytes[i] = nodeBytes(keyBytes, valueBytes[i], Page.isBig(pageBytes, keyBytes, valueBytes[i]));
        }
        out.put(Page.head(firstPage + leaf, Page.LEAF, pageBytes, nodeBytes));
        long overflow = overflowPage() + leafOverflows[leaf];
        for (int i = 0; i < count; i++) {
            byte[] key = entries.key(first + i);
            boolean isBig = Page.isBig(pageBytes, key.length, valueBytes[i]);
            out.put(Page.leafNode(key, valueBytes[i], entries.flags(first + i) | (isBig ? Page.BIG : 0)));
            if (isBig) {
                out.put(Page.number(overflow));
                overflow += Page.overflowPages(pageBytes, valueBytes[i]);
            } else {
                entries.putValue(first + i, out);
            }
            out.align(2);
        }
    }

    private void fillOverflow(Stretch stretch, RunWriter out) {
        long page = overflowPage() + stretch.overflow;
        for (long e = stretch.entry; e < stretch.endEntry; e++) {
            long valueBytes = entries.valueBytes(e);
            if (Page.isBig(pageBytes, entries.keyBytes(e), valueBytes)) {
                long pages = Page.overflowPages(pageBytes, valueBytes);
                out.put(Page.overflowHead(page, pages));
                entries.putValue(e, out);
                out.align(pageBytes);
                page += pages;
            }
        }
    }
}
