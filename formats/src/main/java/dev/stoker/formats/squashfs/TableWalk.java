package dev.stoker.formats.squashfs;

import dev.stoker.format.SmallValues;
import dev.stoker.format.TreeFields;
import dev.stoker.sample.Samples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * One walk through all files, and then all folders, that makes the inode table and the directory table. What each says
 * depends on places in the other, so both are made together; a table that is not wanted is only counted.
 */
final class TableWalk {
    private static final int FILE = 2;
    private static final int LONG_FILE = 9;
    private static final int FILE_MODE = 0644;
    private static final int UNCOMPRESSED_BLOCK = 1 << 24;
    private static final long MAX32 = 0xffff_ffffL;

    private final int[] order;
    private final SmallValues keys;
    private final MetadataStream inodes;
    private final MetadataStream directories;
    private final int files;
    /** For each sample where its inode is in the inode table. */
    private final long[] places;

    private final long dataEnd;
    private final long root;
    private long folders;

    /** A folder in a folder, when it has been written: which keys are in it, and its inode. */
    private record Below(int end, long place, long number) {}

    /**
     * Walks.
     *
     * @param order the samples sorted by their keys, see {@link KeyOrder}
     */
    TableWalk(Samples samples, TreeFields fields, int[] order, MetadataStream inodes, MetadataStream directories) {
        this.order = order;
        this.keys = new SmallValues(samples, fields.key());
        this.inodes = inodes;
        this.directories = directories;
        this.files = order.length;
        this.places = new long[files];
        long position = Superblock.BYTES;
        for (int i = 0; i < files; i++) {
            long length = samples.length(i, fields.data());
            places[i] = inodes.size();
            addFile(i + 1L, position, length);
            position = Math.addExact(position, length);
        }
        this.dataEnd = position;
        this.root = addFolder(0, files, 0, -1);
        inodes.finish();
        directories.finish();
    }

    /** The byte behind the last file's data. */
    long dataEnd() {
        return dataEnd;
    }

    /** The place of the root's inode. */
    long root() {
        return root;
    }

    /** How many inodes there are. */
    long count() {
        return files + folders;
    }

    private void addFile(long number, long offset, long length) {
        boolean isLong = offset > MAX32 || length > MAX32;
        inodeHeader(isLong ? LONG_FILE : FILE, FILE_MODE, number);
        if (isLong) {
            inodes.u64(offset);
            inodes.u64(length);
            inodes.u64(0);
            inodes.u32(1);
        } else {
            inodes.u32(offset);
        }
        inodes.u32(Fragments.NO_FRAGMENT);
        inodes.u32(0);
        inodes.u32(isLong ? MAX32 : length);
        for (long at = 0; at < length; at += SquashTables.BLOCK_SIZE) {
            inodes.u32(UNCOMPRESSED_BLOCK | Math.min(SquashTables.BLOCK_SIZE, length - at));
        }
    }

    private void inodeHeader(int type, int mode, long number) {
        inodes.u16(type);
        inodes.u16(mode);
        inodes.u32(0);
        inodes.u32(0);
        inodes.u32(number);
    }

    /**
     * Adds the folder of the keys {@code from … to - 1}, which are alike in their first bytes, behind all folders in it.
     *
     * @param prefix how many these bytes are
     * @param parent the inode number of the folder above, or -1 for the root
     * @return the place of its inode
     */
    private long addFolder(int from, int to, int prefix, long parent) {
        long number = files + ++folders;
        List<Below> below = addFoldersBelow(from, to, prefix, number);
        var writer = new FolderWriter(directories);
        int folder = 0;
        for (int i = from; i < to; ) {
            byte[] key = keys.read(order[i]);
            int end = nameEnd(key, prefix);
            if (end == key.length) {
                writer.add(new FolderWriter.Entry(key, prefix, end, false, places[order[i]], order[i] + 1L));
                i++;
            } else {
                Below child = below.get(folder++);
                writer.add(new FolderWriter.Entry(key, prefix, end, true, child.place(), child.number()));
                i = child.end();
            }
        }
        writer.finish();
        long place = inodes.size();
        inodeHeader(writer.type(), FolderWriter.MODE, number);
        // The root has nothing above it; by custom its parent is the number behind the last inode.
        writer.writeInode(inodes, 2L + below.size(), parent < 0 ? files + folders + 1 : parent);
        return place;
    }

    private List<Below> addFoldersBelow(int from, int to, int prefix, long number) {
        var below = new ArrayList<Below>();
        for (int i = from; i < to; ) {
            byte[] key = keys.read(order[i]);
            int end = nameEnd(key, prefix);
            if (end == key.length) {
                i++;
                continue;
            }
            int next = folderEnd(key, end + 1, i, to);
            long child = files + folders + 1;
            below.add(new Below(next, addFolder(i, next, end + 1, number), child));
            i = next;
        }
        return below;
    }

    private static int nameEnd(byte[] key, int start) {
        int end = start;
        while (end < key.length && key[end] != '/') {
            end++;
        }
        return end;
    }

    /** The first key, from one in a folder up to {@code to}, that is not in it: a search, since they are sorted. */
    private int folderEnd(byte[] key, int folderLength, int from, int to) {
        int low = from + 1;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            byte[] other = keys.read(order[middle]);
            if (other.length > folderLength && Arrays.equals(other, 0, folderLength, key, 0, folderLength)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
