package dev.stoker.formats.lmdb;

import java.util.BitSet;

/** Which pages were seen: none belongs to two places, so a walk ends, and values do not overlap. */
final class Claims {
    private final LmdbFile file;
    private final long pages;
    private final BitSet taken = new BitSet();

    Claims(LmdbFile file) {
        this.file = file;
        // Rounded up: of the last overflow page only what the value needs has to be there.
        this.pages = Math.min(Integer.MAX_VALUE, (file.bytes().byteSize() - 1) / file.pageBytes() + 1);
    }

    /** Takes so many pages, which the place {@code from} names. */
    void take(long page, long count, long from) {
        if (page < Page.META_PAGES || count < 1 || page > pages - count) {
            throw file.corrupt(
                    from,
                    "the " + count + " pages from number " + page + " on should be after the meta pages and inside"
                            + " the file's " + pages + "; it is truncated or damaged");
        }
        int first = (int) page;
        int next = taken.nextSetBit(first);
        if (next >= 0 && next < first + count) {
            throw file.corrupt(from, "page " + next + " belongs to two places of the tree");
        }
        taken.set(first, (int) (first + count));
    }
}
