package dev.stoker.formats.lmdb;

import dev.stoker.StokerException;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Goes through the entries of a database in their order, and believes nothing of its pages that was not checked. */
final class TreeCursor {
    private final LmdbFile file;
    private final MemorySegment bytes;
    private final String name;
    private final Database database;
    private final Claims claims;
    /** The pages from the root down to the leaf, and the next node of each. */
    private final long[] pages;

    private final int[] counts;
    private final int[] next;
    private int depth;
    private long entries;

    private long keyOffset;
    private int keyBytes = -1;
    private int flags;
    private long valueOffset;
    private long valueBytes;

    TreeCursor(LmdbFile file, String name, Database database, Claims claims) {
        this.file = file;
        this.bytes = file.bytes();
        this.name = name;
        this.database = database;
        this.claims = claims;
        requireSupported();
        this.pages = new long[database.depth()];
        this.counts = new int[database.depth()];
        this.next = new int[database.depth()];
        if (database.root() != Page.NO_PAGE) {
            enter(database.root(), 0);
        }
    }

    private void requireSupported() {
        if ((database.flags() & Database.DUPSORT) != 0) {
            throw new StokerException(
                    file.file().path(),
                    "the database '" + name + "' may have several values"
                            + " for a key (DUPSORT), which samples cannot have; copy it into one without");
        }
        if ((database.flags() & ~(Database.REVERSE_KEY | Database.INTEGER_KEY)) != 0) {
            throw file.corrupt(0, "the database '" + name + "' has the unknown flags " + database.flags());
        }
        boolean isEmpty = database.root() == Page.NO_PAGE;
        if (database.depth() > Page.MAX_DEPTH || isEmpty != (database.depth() == 0)) {
            throw file.corrupt(
                    0,
                    "the database '" + name + "' should have a depth of at most " + Page.MAX_DEPTH
                            + ", and 0 only if it is empty, but has " + database.depth());
        }
    }

    /** Steps to the next entry; false behind the last. */
    boolean next() {
        while (depth > 0) {
            int level = depth - 1;
            if (next[level] == counts[level]) {
                depth--;
                continue;
            }
            long node = node(level, next[level]++);
            if (level == pages.length - 1) {
                readEntry(node, pages[level]);
                entries++;
                return true;
            }
            long child = Integer.toUnsignedLong(bytes.get(LittleEndian.U32, node))
                    | Short.toUnsignedLong(bytes.get(LittleEndian.U16, node + 4)) << 32;
            enter(child, node);
        }
        if (entries != database.entries()) {
            throw file.corrupt(
                    0, "the database '" + name + "' should have " + database.entries() + " entries but has " + entries);
        }
        return false;
    }

    private void enter(long number, long from) {
        claims.take(number, 1, from);
        long page = number * file.pageBytes();
        if (page > bytes.byteSize() - file.pageBytes()) {
            throw file.corrupt(page, "expected a page here, but the file ends; it is truncated");
        }
        boolean isLeaf = depth == pages.length - 1;
        int found = u16(page + 10) & ~0xC010;
        int lower = u16(page + 12);
        int upper = u16(page + 14);
        if (bytes.get(LittleEndian.U64, page) != number || found != (isLeaf ? Page.LEAF : Page.BRANCH)) {
            throw file.corrupt(
                    page, "expected a " + (isLeaf ? "leaf" : "branch") + " page with the number " + number + " here");
        }
        if (lower < Page.HEADER_BYTES || lower % 2 != 0 || lower > upper || upper > file.pageBytes()) {
            throw file.corrupt(
                    page,
                    "the free room of the page should be after its " + Page.HEADER_BYTES
                            + " bytes of header, but goes from " + lower + " to " + upper);
        }
        pages[depth] = page;
        counts[depth] = (lower - Page.HEADER_BYTES) / Page.POINTER_BYTES;
        next[depth] = 0;
        requireDisjoint(page, counts[depth], upper, isLeaf);
        depth++;
    }

    /** Every node lies in the page behind its free room, and none in another. */
    private void requireDisjoint(long page, int count, int upper, boolean isLeaf) {
        var spans = new long[count];
        for (int i = 0; i < count; i++) {
            int at = u16(page + Page.HEADER_BYTES + (long) Page.POINTER_BYTES * i);
            long end = at + (long) Page.NODE_BYTES;
            if (at >= upper && end <= file.pageBytes()) {
                end += u16(page + at + 6);
                if (isLeaf) {
                    boolean isBig = (u16(page + at + 4) & Page.BIG) != 0;
                    end += isBig
                            ? Page.OVERFLOW_NUMBER_BYTES
                            : Integer.toUnsignedLong(bytes.get(LittleEndian.U32, page + at));
                }
            }
            if (at < upper || end > file.pageBytes()) {
                throw file.corrupt(
                        page + at,
                        "node " + i + " of the page at byte " + page + " should lie between its bytes " + upper
                                + " and " + file.pageBytes() + " but ends at " + end);
            }
            spans[i] = (long) at << 32 | end;
        }
        Arrays.sort(spans);
        for (int i = 1; i < count; i++) {
            if (spans[i] >>> 32 < (int) spans[i - 1]) {
                throw file.corrupt(page + (spans[i] >>> 32), "a node begins here, within another");
            }
        }
    }

    private long node(int level, int number) {
        return pages[level] + u16(pages[level] + Page.HEADER_BYTES + (long) Page.POINTER_BYTES * number);
    }

    private void readEntry(long node, long page) {
        long previousOffset = keyOffset;
        int previousBytes = keyBytes;
        int nodeFlags = u16(node + 4);
        keyOffset = node + Page.NODE_BYTES;
        keyBytes = u16(node + 6);
        valueOffset = keyOffset + keyBytes;
        valueBytes = Integer.toUnsignedLong(bytes.get(LittleEndian.U32, node));
        flags = nodeFlags & ~Page.BIG;
        if ((flags & ~Page.DATABASE) != 0 || (flags != 0 && nodeFlags != flags)) {
            throw file.corrupt(node, "the node has flags that no node of this database can have: " + nodeFlags);
        }
        if (previousBytes >= 0 && database.isBytewise() && compare(previousOffset, previousBytes) >= 0) {
            throw file.corrupt(node, "keys should ascend, but this one does not, in the page at byte " + page);
        }
        if ((nodeFlags & Page.BIG) != 0) {
            findOverflow(node);
        }
    }

    private int compare(long previousOffset, int previousBytes) {
        MemorySegment previous = bytes.asSlice(previousOffset, previousBytes);
        MemorySegment key = bytes.asSlice(keyOffset, keyBytes);
        long at = previous.mismatch(key);
        if (at < 0) {
            return 0;
        }
        if (at >= previousBytes || at >= keyBytes) {
            return Integer.compare(previousBytes, keyBytes);
        }
        return Byte.compareUnsigned(previous.get(ValueLayout.JAVA_BYTE, at), key.get(ValueLayout.JAVA_BYTE, at));
    }

    private void findOverflow(long node) {
        long number = bytes.get(LittleEndian.U64, valueOffset);
        long needed = Page.overflowPages(file.pageBytes(), valueBytes);
        claims.take(number, needed, node);
        long page = number * file.pageBytes();
        valueOffset = page + Page.HEADER_BYTES;
        if (valueOffset > bytes.byteSize() - valueBytes) {
            throw file.corrupt(
                    page, "expected a value of " + valueBytes + " bytes here, but the file ends; it is truncated");
        }
        // An update in place with a shorter value keeps the pages of the longer one.
        if (bytes.get(LittleEndian.U64, page) != number
                || (u16(page + 10) & Page.OVERFLOW) == 0
                || Integer.toUnsignedLong(bytes.get(LittleEndian.U32, page + 12)) < needed) {
            throw file.corrupt(
                    page,
                    "expected an overflow page with the number " + number + " here, the first of at least " + needed);
        }
    }

    private int u16(long at) {
        return Short.toUnsignedInt(bytes.get(LittleEndian.U16, at));
    }

    byte[] key() {
        return bytes.asSlice(keyOffset, keyBytes).toArray(ValueLayout.JAVA_BYTE);
    }

    boolean hasKey(byte[] key) {
        return keyBytes == key.length && bytes.asSlice(keyOffset, keyBytes).mismatch(MemorySegment.ofArray(key)) < 0;
    }

    long keyOffset() {
        return keyOffset;
    }

    /** {@link Page#DATABASE}, or 0. */
    int flags() {
        return flags;
    }

    long valueOffset() {
        return valueOffset;
    }

    long valueBytes() {
        return valueBytes;
    }

    /** The database that this entry is the record of. */
    Database subDatabase() {
        if (valueBytes != Database.BYTES) {
            throw file.corrupt(valueOffset, "the record of a database should have 48 bytes but has " + valueBytes);
        }
        return Database.read(bytes, valueOffset);
    }
}
