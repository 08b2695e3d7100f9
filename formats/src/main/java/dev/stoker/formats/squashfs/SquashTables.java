package dev.stoker.formats.squashfs;

import dev.stoker.StokerException;
import dev.stoker.format.RunWriter;
import dev.stoker.format.SmallValues;
import dev.stoker.format.TreeFields;
import dev.stoker.sample.Samples;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The tables of an image that is being planned: all of it but the data. */
final class SquashTables {
    static final int BLOCK_SIZE = 1 << 17;

    /** The longest path that Linux opens, without the NUL at its end. */
    private static final int MAX_PATH = 4095;

    private static final int FILE = 2;
    private static final int LONG_FILE = 9;
    private static final int FILE_MODE = 0644;
    private static final int UNCOMPRESSED_BLOCK = 1 << 24;
    private static final long MAX32 = 0xffff_ffffL;

    private final MetadataStream inodes = new MetadataStream();
    private final MetadataStream directories = new MetadataStream();
    private final MetadataStream ids = new MetadataStream();
    private final int files;
    /** For each sample where its inode is in the inode table. */
    private final long[] places;

    private final long dataEnd;
    private final long root;
    private long folders;

    /** Makes the tables of samples whose data lies in their order from the superblock on. */
    SquashTables(Samples samples, TreeFields fields) {
        this.files = Math.toIntExact(samples.count());
        this.places = new long[files];
        var keys = new byte[files][];
        long position = Superblock.BYTES;
        for (int i = 0; i < files; i++) {
            keys[i] = key(samples, i, fields.key());
            long length = samples.length(i, fields.data());
            places[i] = inodes.size();
            addFile(i + 1L, position, length);
            position = Math.addExact(position, length);
        }
        this.dataEnd = position;
        this.root = addFolders(keys);
        ids.u32(0);
        if (inodes.stored() > MAX32 || directories.stored() > MAX32) {
            throw new StokerException("format squashfs has room for tables of 4 GiB, but inodes and names of " + files
                    + " samples take " + inodes.stored() + " and " + directories.stored()
                    + " bytes; pack them into several images, or choose another format");
        }
    }

    private static byte[] key(Samples samples, int sample, int field) {
        byte[] key = SmallValues.read(samples, sample, field);
        if (key.length > MAX_PATH) {
            throw new StokerException("format squashfs cannot hold the key '"
                    + new String(key, 0, 64, StandardCharsets.UTF_8) + "…': a path has at most " + MAX_PATH
                    + " bytes, this one has " + key.length);
        }
        return key;
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
        for (long at = 0; at < length; at += BLOCK_SIZE) {
            inodes.u32(UNCOMPRESSED_BLOCK | Math.min(BLOCK_SIZE, length - at));
        }
    }

    private void inodeHeader(int type, int mode, long number) {
        inodes.u16(type);
        inodes.u16(mode);
        inodes.u32(0);
        inodes.u32(0);
        inodes.u32(number);
    }

    /** Writes all folders, the root last, and returns the root's place. */
    private long addFolders(byte[][] keys) {
        var order = new Integer[files];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparing(i -> keys[i], SquashTables::compareByNames));
        return new Folders(keys, order).add(0, files, 0, -1);
    }

    /** By the names one after another, so that a folder's files and folders are together and sorted. */
    private static int compareByNames(byte[] a, byte[] b) {
        int at = Arrays.mismatch(a, b);
        if (at < 0 || at >= Math.min(a.length, b.length)) {
            return Integer.compare(a.length, b.length);
        }
        return Integer.compare(a[at] == '/' ? 0 : a[at] & 0xff, b[at] == '/' ? 0 : b[at] & 0xff);
    }

    /** A walk through the sorted keys, folder by folder. */
    private final class Folders {
        private final byte[][] keys;
        private final Integer[] order;

        Folders(byte[][] keys, Integer[] order) {
            this.keys = keys;
            this.order = order;
        }

        /**
         * Adds the folder of the keys {@code from … to - 1}, which are alike in their first bytes.
         *
         * @param prefix how many these are
         * @param parent the inode number of the folder above, or -1 for the root
         */
        long add(int from, int to, int prefix, long parent) {
            long number = files + ++folders;
            var entries = new ArrayList<FolderWriter.Entry>();
            int subfolders = 0;
            for (int i = from; i < to; ) {
                byte[] key = keys[order[i]];
                int end = prefix;
                while (end < key.length && key[end] != '/') {
                    end++;
                }
                if (end == key.length) {
                    entries.add(new FolderWriter.Entry(key, prefix, end, false, places[order[i]], order[i] + 1L));
                    i++;
                    continue;
                }
                int next = i + 1;
                while (next < to && isIn(keys[order[next]], key, end)) {
                    next++;
                }
                long child = files + folders + 1;
                long place = add(i, next, end + 1, number);
                entries.add(new FolderWriter.Entry(key, prefix, end, true, place, child));
                subfolders++;
                i = next;
            }
            return addFolder(entries, subfolders, number, parent);
        }

        private static boolean isIn(byte[] key, byte[] folder, int length) {
            return key.length > length && Arrays.equals(key, 0, length + 1, folder, 0, length + 1);
        }
    }

    private long addFolder(List<FolderWriter.Entry> entries, int subfolders, long number, long parent) {
        var writer = new FolderWriter(directories);
        writer.add(entries);
        long place = inodes.size();
        inodeHeader(writer.type(), FolderWriter.MODE, number);
        // The root has nothing above it; by custom its parent is the number behind the last inode.
        writer.writeInode(inodes, 2L + subfolders, parent < 0 ? files + folders + 1 : parent);
        return place;
    }

    /** The byte behind the last file's data, where the tables begin. */
    long dataEnd() {
        return dataEnd;
    }

    private long directoryTable() {
        return dataEnd + inodes.stored();
    }

    private long idBlocks() {
        return directoryTable() + directories.stored();
    }

    /** Where the image ends, before its padding. */
    long end() {
        return idBlocks() + ids.stored() + 8;
    }

    Superblock superblock() {
        long rootReference = MetadataStream.blockOf(root) << 16 | MetadataStream.offsetIn(root);
        return new Superblock(
                files + folders,
                BLOCK_SIZE,
                0,
                Superblock.GZIP,
                rootReference,
                end(),
                end() - 8,
                dataEnd,
                directoryTable(),
                idBlocks());
    }

    void writeTo(RunWriter out) {
        inodes.writeTo(out);
        directories.writeTo(out);
        ids.writeTo(out);
        var place = new byte[8];
        ByteBuffer.wrap(place).order(ByteOrder.LITTLE_ENDIAN).putLong(idBlocks());
        out.put(place);
    }
}
