package dev.stoker.formats.squashfs;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.format.TreeFields;
import dev.stoker.format.TreeKeys;
import dev.stoker.formats.shared.limit.Budget;
import dev.stoker.formats.shared.tree.LeftOutMembers;
import dev.stoker.index.IndexBuilder;
import dev.stoker.index.Placement;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.io.MappedFile;
import dev.stoker.text.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;

/** Finds the files of an image by walking its folders; refuses what is damaged. */
final class SquashReader {
    private static final int MAX_NAME = 256;
    /** Header and entry of a directory table. */
    private static final int HEADER_BYTES = 12;

    private static final int ENTRY_BYTES = 8;

    /** What all names may take in memory, however small the image is, and for each of its bytes. */
    private static final long NAMES_BYTES = 128 << 20;

    private static final long NAMES_PER_BYTE = 512;
    /** What a name takes beside its path. */
    private static final long BESIDE_PATH = 200;

    private final MappedFile file;
    private final Superblock superblock;
    private final MetadataBlocks blocks;
    private final SquashInodes inodes;
    /** The listings of the folders seen so far, start to end: no two may share a byte, so that walking them ends. */
    private final TreeMap<Long, Long> listings = new TreeMap<>();

    /** Listings compress well, and each name in a deep folder stands for a long path. */
    private final Budget budget;

    private final Deque<Folder> waiting = new ArrayDeque<>();
    private final GrowingBuffer names = new GrowingBuffer();
    /** For each file the end of its name. */
    private final GrowingBuffer rows = new GrowingBuffer();

    private final List<FileData> files = new ArrayList<>();
    private final LeftOutMembers leftOut = new LeftOutMembers();
    /** Whether each file lies in one piece, as it is. */
    private boolean isPlain = true;

    /** For each file its inode number and, in the lower half, its row. */
    private final GrowingBuffer order = new GrowingBuffer();

    /** A folder that is still to be read: its path with a slash at the end, or nothing for the root. */
    private record Folder(byte[] path, SquashInodes.Listing listing) {}

    SquashReader(MappedFile file) {
        this.file = file;
        this.superblock = Superblock.read(file);
        this.budget = new Budget(NAMES_BYTES, () -> NAMES_PER_BYTE * file.size());
        this.blocks = new MetadataBlocks(file, superblock.compressor(), superblock.used());
        this.inodes = new SquashInodes(blocks, superblock);
    }

    IndexBuilder derive() {
        try (names;
                rows;
                order) {
            SquashInodes.Inode root = inodes.read(superblock.root() >>> 16, (int) (superblock.root() & 0xffff));
            if (!root.isFolder()) {
                throw new CorruptContainerException(
                        file.name(), 32, "the root should be a folder but is " + root.kind());
            }
            add(new Folder(new byte[0], inodes.listing(root)));
            while (!waiting.isEmpty()) {
                walk(waiting.pop());
            }
            return build();
        }
    }

    private IndexBuilder build() {
        var sorted = new long[Math.toIntExact(order.size() / 8)];
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] = order.getLong(i);
        }
        // As unsigned: inode numbers have 32 bits.
        for (int i = 0; i < sorted.length; i++) {
            sorted[i] ^= Long.MIN_VALUE;
        }
        Arrays.sort(sorted);
        Placement ofData = isPlain ? Placement.stored() : Placement.blocks();
        return TreeFields.builder(ofData).filledBy(builder -> {
            var places = new SquashBlocks(file, inodes, superblock.blockSize(), blocks.compressor(), builder.blocks());
            if (!isPlain) {
                files.forEach(places::see);
            }
            for (long entry : sorted) {
                int row = (int) (entry & 0xffff_ffffL);
                long start = row == 0 ? 0 : rows.getLong(row - 1);
                builder.value(0, names.bytes().asSlice(start, rows.getLong(row) - start));
                FileData data = files.get(row);
                builder.stored(1, isPlain ? offset(data) : places.place(data), data.length());
            }
            builder.omit(leftOut.tell());
        });
    }

    private long offset(FileData data) {
        return data.blocks().length > 0 || !data.hasTail()
                ? data.start()
                : inodes.fragment(data.fragment()).offset() + data.fragmentOffset();
    }

    /** Whether a file lies in one piece, as it is: in blocks that are stored, or in a stored fragment. */
    private boolean isPlain(FileData data) {
        return data.hasTail()
                ? data.blocks().length == 0
                        && !inodes.fragment(data.fragment()).size().isCompressed()
                : data.hasStoredBlocks();
    }

    private void add(Folder folder) {
        SquashInodes.Listing listing = folder.listing();
        if (listing.length() == 0) {
            return;
        }
        var before = listings.floorEntry(listing.place());
        if (before != null && before.getValue() > listing.place()) {
            throw shared(folder);
        }
        // Where it ends is known when it is read.
        listings.put(listing.place(), listing.place() + 1);
        waiting.push(folder);
    }

    private CorruptContainerException shared(Folder folder) {
        return corrupt(folder.path(), "shares its names with another folder, or contains itself");
    }

    private void walk(Folder folder) {
        SquashInodes.Listing listing = folder.listing();
        var cursor = new MetadataCursor(
                blocks, Math.addExact(superblock.directoryTable(), listing.block()), listing.offset());
        long left = listing.length();
        byte[] before = {};
        while (left > 0) {
            long count = cursor.u32() + 1;
            long block = cursor.u32();
            long base = cursor.u32();
            left -= HEADER_BYTES;
            if (count > 256) {
                throw corrupt(folder.path(), "has a header of " + count + " names, of which there are at most 256");
            }
            for (long i = 0; i < count; i++) {
                int offset = cursor.u16();
                long number = base + (short) cursor.u16();
                cursor.skip(2);
                int length = cursor.u16() + 1;
                left -= ENTRY_BYTES + length;
                if (length > MAX_NAME || left < 0) {
                    throw corrupt(
                            folder.path(),
                            "has a name of " + length + " bytes, which is too long, or extends past its end");
                }
                byte[] name = cursor.bytes(length);
                requireBehind(before, folder, name);
                before = name;
                entry(folder, name, number, block, offset);
            }
        }
        if (left != 0) {
            throw corrupt(folder.path(), "should end with its last name, but goes " + -left + " bytes beyond its end");
        }
        long start = listing.place();
        long end = cursor.place() - superblock.directoryTable() << 16 | cursor.offset();
        Long next = listings.higherKey(start);
        if (next != null && next < end) {
            throw shared(folder);
        }
        listings.put(start, end);
    }

    /** Names are sorted, since Linux looks no further than where a name should be; so none comes twice. */
    private void requireBehind(byte[] before, Folder folder, byte[] name) {
        if (Arrays.compareUnsigned(before, name) >= 0) {
            throw corrupt(
                    folder.path(),
                    "should have its names sorted, and each once, but has '" + shown(name) + "' after '" + shown(before)
                            + "'");
        }
    }

    private void entry(Folder folder, byte[] name, long number, long block, int offset) {
        if (!budget.take(BESIDE_PATH + folder.path().length + name.length)) {
            throw corrupt(
                    folder.path(),
                    "has more names, with those of the folders before it, than an image of " + file.size()
                            + " bytes holds");
        }
        byte[] path = Arrays.copyOf(folder.path(), folder.path().length + name.length);
        System.arraycopy(name, 0, path, folder.path().length, name.length);
        requireName(path, name);
        SquashInodes.Inode inode = inodes.read(block, offset);
        if (inode.number() != number) {
            throw corrupt(path, "should have inode " + number + " but has " + inode.number());
        }
        if (inode.isFolder()) {
            byte[] withSlash = Arrays.copyOf(path, path.length + 1);
            withSlash[path.length] = '/';
            add(new Folder(withSlash, inodes.listing(inode)));
            return;
        }
        if (!inode.isFile()) {
            leaveOut(inode);
            return;
        }
        // What Stoker packed was asked for.
        if (!superblock.isPacked() && leftOut.takesJunk(path)) {
            return;
        }
        FileData data = inodes.data(inode, shown(path));
        isPlain &= isPlain(data);
        long row = files.size();
        files.add(data);
        names.add(path);
        rows.addLong(names.size());
        order.addLong(inode.number() << 32 | row);
    }

    /** Links, devices and the like hold no bytes, and a link may point out of the image. */
    private void leaveOut(SquashInodes.Inode inode) {
        if (inode.isLink()) {
            leftOut.addLink();
        } else {
            leftOut.addSpecial();
        }
    }

    private void requireName(byte[] path, byte[] name) {
        boolean dots = (name.length == 1 && name[0] == '.') || (name.length == 2 && name[0] == '.' && name[1] == '.');
        for (byte b : name) {
            if (b == '/' || b == 0 || dots) {
                throw corrupt(path, "is not a file name");
            }
        }
        if (path.length > TreeKeys.MAX_PATH_BYTES) {
            throw corrupt(path, "is a path of more than " + TreeKeys.MAX_PATH_BYTES + " bytes");
        }
        if (Utf8.firstMalformed(name, 0, name.length) >= 0) {
            throw new StokerException(
                    file.path(),
                    "the name '" + shown(path)
                            + "' is not UTF-8 (shown as Latin-1); extract the image, rename with convmv, and pack the files");
        }
    }

    private CorruptContainerException corrupt(byte[] path, String what) {
        return new CorruptContainerException(
                file.name(), CorruptContainerException.NOWHERE, "'" + shown(path) + "' " + what);
    }

    private static String shown(byte[] path) {
        boolean utf8 = Utf8.firstMalformed(path, 0, path.length) < 0;
        return new String(path, utf8 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    }
}
