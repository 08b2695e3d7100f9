package dev.stoker.formats.lmdb;

import dev.stoker.format.RunWriter;
import java.util.stream.IntStream;

/** One level of branch pages, over the pages of the level below. The first node of a page has no key. */
final class BranchLevel {
    private final Entries entries;
    private final int pageBytes;
    /** The first entry below each child, and one more for the end. */
    private final long[] below;

    private final long belowPage;
    private final long firstPage;
    /** The first child of each page, and one more for the end. */
    private final int[] children;

    BranchLevel(Entries entries, int pageBytes, long[] below, long belowPage, long firstPage) {
        this.entries = entries;
        this.pageBytes = pageBytes;
        this.below = below;
        this.belowPage = belowPage;
        this.firstPage = firstPage;
        this.children = cut(below.length - 1);
    }

    private int[] cut(int count) {
        var starts = IntStream.builder();
        int room = 0;
        int last = 0;
        for (int child = 0; child < count; child++) {
            int needed = Page.POINTER_BYTES + nodeBytes(child);
            if (needed > room) {
                starts.add(child);
                last = child;
                room = pageBytes - Page.HEADER_BYTES;
                needed = Page.POINTER_BYTES + Page.NODE_BYTES;
            }
            room -= needed;
        }
        int[] cut = starts.add(count).build().toArray();
        // A branch page with a single child is taken for damage by LMDB, so the last one takes two.
        if (last == count - 1 && cut.length > 2) {
            cut[cut.length - 2]--;
        }
        return cut;
    }

    private int nodeBytes(int child) {
        return Page.even(Page.NODE_BYTES + entries.keyBytes(below[child]));
    }

    int pages() {
        return children.length - 1;
    }

    /** The first entry below each page, and one more for the end. */
    long[] firstEntries() {
        var first = new long[children.length];
        for (int page = 0; page < children.length; page++) {
            first[page] = below[children[page]];
        }
        return first;
    }

    void fill(RunWriter out) {
        for (int page = 0; page < pages(); page++) {
            int first = children[page];
            var nodes = new byte[children[page + 1] - first][];
            var nodeBytes = new int[nodes.length];
            for (int i = 0; i < nodes.length; i++) {
                byte[] key = i == 0 ? new byte[0] : entries.key(below[first + i]);
                nodes[i] = Page.branchNode(key, belowPage + first + i);
                nodeBytes[i] = nodes[i].length;
            }
            out.put(Page.head(firstPage + page, Page.BRANCH, pageBytes, nodeBytes));
            for (byte[] node : nodes) {
                out.put(node);
            }
        }
    }
}
