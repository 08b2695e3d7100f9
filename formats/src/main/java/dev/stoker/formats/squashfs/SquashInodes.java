package dev.stoker.formats.squashfs;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.memory.MappedFile;

/** Reads inodes: what a folder or file is, where a folder's names are, and where a file's bytes lie. */
final class SquashInodes {
    private final MetadataBlocks blocks;
    private final Superblock superblock;
    private final Fragments fragments;
    private final MappedFile file;

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

    record Extent(long offset, long length) {}

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
     * Where a file's bytes lie in one piece.
     *
     * @param path its name, for the message if they do not
     */
    Extent extent(Inode inode, String path) {
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
            throw body.corrupt("'" + path + "' is said to have " + length + " bytes from byte " + start + " on");
        }
        if (length == 0) {
            return new Extent(Math.min(start, superblock.used()), 0);
        }
        if (fragment == Fragments.NO_FRAGMENT) {
            requireStored(body, start, length, path);
            return within(start, length, path);
        }
        if (length >= superblock.blockSize()) {
            throw refused(path, "in blocks and a fragment, not in one piece", "without -always-use-fragments");
        }
        return inFragment(fragments.at(fragment), fragmentOffset, length, path);
    }

    /** Every block is as long as its bytes, so they lie one behind the other. */
    private void requireStored(MetadataCursor body, long start, long length, String path) {
        for (long at = 0; at < length; at += superblock.blockSize()) {
            var block = new DataBlock(body.u32());
            long expected = Math.min(superblock.blockSize(), length - at);
            if (block.isSparse()) {
                throw new StokerException(
                        "[" + file.path() + "] '" + path + "' has a block of zeros that is left out of"
                                + " the image, so it cannot be read where it lies; mount the image and pack the folder");
            }
            if (block.isCompressed()) {
                throw refused(path, "compressed with " + blocks.compressor(), "with -noD -noF");
            }
            if (block.stored() != expected || at > superblock.inodeTable() - start) {
                throw body.corrupt("a block of '" + path + "' should have " + expected + " bytes, behind byte " + start
                        + " and before the tables, but has " + block.stored());
            }
        }
    }

    private Extent inFragment(Fragments.Fragment fragment, long offset, long length, String path) {
        if (fragment.size().isCompressed()) {
            throw refused(path, "compressed with " + blocks.compressor(), "with -noD -noF");
        }
        Extent whole = within(fragment.offset(), fragment.size().stored(), path);
        if (offset + length > whole.length()) {
            throw new CorruptContainerException(
                    file.name(),
                    whole.offset(),
                    "'" + path + "' is said to have " + length + " bytes from byte " + offset
                            + " of the fragment here on, which has " + whole.length());
        }
        return new Extent(whole.offset() + offset, length);
    }

    private Extent within(long start, long length, String path) {
        if (start < Superblock.BYTES || start > superblock.inodeTable() || length > superblock.inodeTable() - start) {
            throw new CorruptContainerException(
                    file.name(),
                    start,
                    "'" + path + "' is said to have " + length + " bytes here, but the data ends at byte "
                            + superblock.inodeTable());
        }
        return new Extent(start, length);
    }

    private StokerException refused(String path, String how, String instead) {
        return new StokerException("[" + file.path() + "] '" + path + "' is held " + how
                + ", so it cannot be read where it lies; make the image with mksquashfs " + instead
                + ", or mount it and pack the folder");
    }
}
