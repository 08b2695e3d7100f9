package dev.stoker.formats.squashfs;

import dev.stoker.CorruptContainerException;
import dev.stoker.io.MappedFile;
import java.util.ArrayList;

/** Reads inodes: what a folder or file is, where a folder's names are, and where a file's bytes lie. */
final class SquashInodes {
    private static final long MANY_BLOCKS = 1 << 20;
    private static final DataBlock[] NO_BLOCKS = {};

    private final MetadataBlocks blocks;
    private final Superblock superblock;
    private final Fragments fragments;
    private final MappedFile file;
    /** Blocks of all files so far. */
    private long blockCount;

    /**
     * An inode of which the header has been read.
     *
     * @param body reads what follows, once
     */
    record Inode(int type, long number, MetadataCursor body) {
        private static final String[] KINDS = {
            "a folder", "a file", "a symbolic link", "a block device", "a character device", "a FIFO", "a socket"
        };

        boolean isFolder() {
            return type == 1 || type == 8;
        }

        boolean isFile() {
            return type == 2 || type == 9;
        }

        boolean isLink() {
            return type == 3 || type == 10;
        }

        /** Types above 7 have longer inodes, and are else the same. */
        boolean isLong() {
            return type > 7;
        }

        String kind() {
            return KINDS[(type - 1) % 7];
        }
    }

    /** Where the names of a folder are in the directory table. */
    record Listing(long block, int offset, long length) {
        /** One number that is larger the further behind: blocks as they are stored, bytes as they are meant. */
        long place() {
            return block << 16 | offset;
        }
    }

    SquashInodes(MetadataBlocks blocks, Superblock superblock) {
        this.blocks = blocks;
        this.superblock = superblock;
        this.fragments = new Fragments(blocks, superblock);
        this.file = blocks.file();
    }

    Inode read(long block, int offset) {
        long place = superblock.inodeTable() + block;
        if (place >= superblock.directoryTable()) {
            throw new CorruptContainerException(
                    file.name(),
                    place,
                    "an inode should be here, but the inode table ends at byte " + superblock.directoryTable());
        }
        var cursor = new MetadataCursor(blocks, place, offset);
        int type = cursor.u16();
        cursor.skip(10);
        if (type < 1 || type > 14) {
            throw cursor.corrupt("an inode at byte " + offset + " of this block is of type " + type + ", not 1 to 14");
        }
        return new Inode(type, cursor.u32(), cursor);
    }

    Listing listing(Inode folder) {
        MetadataCursor body = folder.body();
        long block;
        long length;
        int offset;
        if (folder.isLong()) {
            body.skip(4);
            length = body.u32();
            block = body.u32();
            body.skip(6);
            offset = body.u16();
        } else {
            block = body.u32();
            body.skip(4);
            length = body.u16();
            offset = body.u16();
        }
        if (length < FolderWriter.DOTS) {
            throw body.corrupt("a folder's names should have at least 3 bytes but have " + length);
        }
        return new Listing(block, offset, length - FolderWriter.DOTS);
    }

    /**
     * Where a file's bytes lie.
     *
     * @param path its name, for messages
     */
    FileData data(Inode inode, String path) {
        MetadataCursor body = inode.body();
        long start = inode.isLong() ? body.u64() : body.u32();
        long length = 0;
        if (inode.isLong()) {
            length = body.u64();
            body.skip(12);
        }
        long fragment = body.u32();
        long fragmentOffset = body.u32();
        if (inode.isLong()) {
            body.skip(4);
        } else {
            length = body.u32();
        }
        if (length < 0 || start < 0) {
            throw body.corrupt("'" + path + "' claims " + length + " bytes from byte " + start + " on");
        }
        if (length == 0) {
            return new FileData(Math.min(start, superblock.used()), 0, NO_BLOCKS, Fragments.NO_FRAGMENT, 0);
        }
        boolean hasTail = fragment != Fragments.NO_FRAGMENT;
        long inBlocks = hasTail ? length - length % superblock.blockSize() : length;
        if (hasTail && inBlocks == length) {
            throw body.corrupt("'" + path + "' fills its blocks, but claims to end in fragment " + fragment);
        }
        DataBlock[] found = blocks(body, start, inBlocks, path);
        var data = new FileData(start, length, found, fragment, fragmentOffset);
        if (hasTail) {
            requireInFragment(data, path);
        }
        return data;
    }

    private DataBlock[] blocks(MetadataCursor body, long start, long length, String path) {
        var found = new ArrayList<DataBlock>();
        long at = start;
        for (long done = 0; done < length; done += superblock.blockSize()) {
            var block = new DataBlock(body.u32());
            long expected = Math.min(superblock.blockSize(), length - done);
            if (block.stored() > expected || (!block.isCompressed() && block.stored() != expected)) {
                throw body.corrupt("a block of '" + path + "' should have " + (block.isCompressed() ? "at most " : "")
                        + expected + " bytes but has " + block.stored());
            }
            requireWithin(at, block.stored(), path);
            at += block.stored();
            found.add(block);
            requireFew();
        }
        return found.toArray(DataBlock[]::new);
    }

    /** Bounds what a small image with long lists of blocks, which compress well, can cost. */
    private void requireFew() {
        if (++blockCount > MANY_BLOCKS + file.size() / 16) {
            throw new CorruptContainerException(
                    file.name(),
                    superblock.inodeTable(),
                    "an image of " + file.size() + " bytes cannot have more than " + blockCount + " blocks of data");
        }
    }

    private void requireInFragment(FileData data, String path) {
        Fragments.Fragment fragment = fragments.at(data.fragment());
        long length = data.tail(superblock.blockSize());
        long room = fragment.size().isCompressed()
                ? superblock.blockSize()
                : fragment.size().stored();
        requireWithin(fragment.offset(), fragment.size().stored(), path);
        if (data.fragmentOffset() + length > room || fragment.size().stored() > superblock.blockSize()) {
            throw new CorruptContainerException(
                    file.name(),
                    fragment.offset(),
                    "'" + path + "' claims " + length + " bytes from byte " + data.fragmentOffset()
                            + " of the fragment here on, which has " + room);
        }
    }

    private void requireWithin(long start, long length, String path) {
        if (start < Superblock.BYTES || start > superblock.inodeTable() || length > superblock.inodeTable() - start) {
            throw new CorruptContainerException(
                    file.name(),
                    start,
                    "'" + path + "' claims " + length + " bytes here, but the data ends at byte "
                            + superblock.inodeTable());
        }
    }

    Fragments.Fragment fragment(long number) {
        return fragments.at(number);
    }
}
