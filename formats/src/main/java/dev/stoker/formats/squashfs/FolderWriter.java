package dev.stoker.formats.squashfs;

import java.util.ArrayList;
import java.util.List;

/** Writes the names of one folder into the directory table, and then what its inode says of them. */
final class FolderWriter {
    static final int MODE = 0755;
    /** The bytes that "." and ".." are counted with, although they are nowhere. */
    static final int DOTS = 3;

    private static final int FOLDER = 1;
    private static final int LONG_FOLDER = 8;
    private static final int FILE = 2;
    private static final int HEADER_ENTRIES = 256;
    private static final int MAX16 = 0xffff;

    private final MetadataStream table;
    private final long start;
    private final List<IndexEntry> index = new ArrayList<>();
    /** Names that will stand behind one header. */
    private final List<Entry> group = new ArrayList<>();

    private long indexedBlock;

    /**
     * A name in a folder: the bytes {@code from … to - 1} of a key.
     *
     * @param place where its inode is in the inode table
     */
    record Entry(byte[] key, int from, int to, boolean isFolder, long place, long number) {}

    /** Which name the first header in a metadata block begins with, so that a name is found without reading them all. */
    private record IndexEntry(long at, Entry first) {}

    FolderWriter(MetadataStream table) {
        this.table = table;
        this.start = table.size();
        this.indexedBlock = MetadataStream.blockOf(start);
    }

    /** Adds the next name; they come sorted. */
    void add(Entry entry) {
        if (!group.isEmpty() && !belongs(entry)) {
            addGroup();
        }
        group.add(entry);
    }

    /** The entries behind one header have their inodes in one metadata block, and numbers near the first one's. */
    private boolean belongs(Entry entry) {
        Entry first = group.getFirst();
        return group.size() < HEADER_ENTRIES
                && MetadataStream.blockOf(entry.place()) == MetadataStream.blockOf(first.place())
                && isShort(entry.number() - first.number());
    }

    private static boolean isShort(long number) {
        return number == (short) number;
    }

    private void addGroup() {
        Entry first = group.getFirst();
        long block = MetadataStream.blockOf(table.size());
        if (block != indexedBlock && index.size() < MAX16) {
            index.add(new IndexEntry(table.size(), first));
            indexedBlock = block;
        }
        table.u32(group.size() - 1L);
        table.u32(MetadataStream.blockOf(first.place()));
        table.u32(first.number());
        for (Entry entry : group) {
            table.u16(MetadataStream.offsetIn(entry.place()));
            table.u16((int) (entry.number() - first.number()));
            table.u16(entry.isFolder() ? FOLDER : FILE);
            table.u16(entry.to() - entry.from() - 1);
            table.bytes(entry.key(), entry.from(), entry.to());
        }
        group.clear();
    }

    /** When all names were added. */
    void finish() {
        if (!group.isEmpty()) {
            addGroup();
        }
    }

    private long length() {
        return table.size() - start + DOTS;
    }

    int type() {
        return length() > MAX16 || !index.isEmpty() ? LONG_FOLDER : FOLDER;
    }

    /** The inode behind its header, which has told the type. */
    void writeInode(MetadataStream inodes, long links, long parent) {
        long block = MetadataStream.blockOf(start);
        if (type() == FOLDER) {
            inodes.u32(block);
            inodes.u32(links);
            inodes.u16((int) length());
            inodes.u16(MetadataStream.offsetIn(start));
            inodes.u32(parent);
            return;
        }
        inodes.u32(links);
        inodes.u32(length());
        inodes.u32(block);
        inodes.u32(parent);
        inodes.u16(index.size());
        inodes.u16(MetadataStream.offsetIn(start));
        inodes.u32(Superblock.NONE);
        for (IndexEntry entry : index) {
            Entry first = entry.first();
            inodes.u32(entry.at() - start);
            inodes.u32(MetadataStream.blockOf(entry.at()));
            inodes.u32(first.to() - first.from() - 1L);
            inodes.bytes(first.key(), first.from(), first.to());
        }
    }
}
