package dev.stoker.formats.squashfs;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The first 96 bytes of an image.
 *
 * @param time when the image was made, in seconds since 1970; 0 in those that Stoker packed
 * @param root where the root folder's inode is: metadata block and byte in it, as an inode reference
 * @param used bytes of the image without its padding
 */
record Superblock(
        long inodes,
        long time,
        int blockSize,
        long fragments,
        int compressor,
        long root,
        long used,
        long ids,
        long inodeTable,
        long directoryTable,
        long fragmentTable) {
    static final int BYTES = 96;
    static final int MAGIC = 0x73717368;
    static final int GZIP = 1;

    /** A place that says that there is no such table. */
    static final long NONE = -1;

    private static final int MIN_BLOCK = 1 << 12;
    private static final int MAX_BLOCK = 1 << 20;
    private static final int VERSION = 4;
    /** Inodes, data, fragments, attributes and ids uncompressed; no fragments; no attributes. */
    private static final int FLAGS = 0x1 | 0x2 | 0x8 | 0x10 | 0x100 | 0x200 | 0x800;

    /** Whether Stoker packed the image, or had it made: other programs tell the time. */
    boolean isPacked() {
        return time == 0;
    }

    byte[] toBytes() {
        var bytes = new byte[BYTES];
        ByteBuffer to = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        to.putInt(MAGIC)
                .putInt((int) inodes)
                .putInt((int) time)
                .putInt(blockSize)
                .putInt((int) fragments);
        to.putShort((short) compressor).putShort((short) Integer.numberOfTrailingZeros(blockSize));
        to.putShort((short) FLAGS).putShort((short) 1).putShort((short) VERSION).putShort((short) 0);
        to.putLong(root).putLong(used).putLong(ids).putLong(NONE);
        to.putLong(inodeTable).putLong(directoryTable).putLong(fragmentTable).putLong(NONE);
        return bytes;
    }

    /** Reads and checks it: all tables lie within the file, in their order. */
    static Superblock read(MappedFile file) {
        MemorySegment bytes = file.bytes();
        if (file.size() < BYTES || bytes.get(LittleEndian.U32, 0) != MAGIC) {
            throw new CorruptContainerException(
                    file.name(), 0, "a SquashFS image begins with 'hsqs' and 92 bytes more, but this does not");
        }
        int version = Short.toUnsignedInt(bytes.get(LittleEndian.U16, 28));
        int minor = Short.toUnsignedInt(bytes.get(LittleEndian.U16, 30));
        if (version != VERSION || minor != 0) {
            throw new StokerException(
                    file.path(),
                    "is SquashFS " + version + "." + minor
                            + ", but only 4.0 can be read; extract it with unsquashfs and pack the files");
        }
        var read = new Superblock(
                Integer.toUnsignedLong(bytes.get(LittleEndian.U32, 4)),
                Integer.toUnsignedLong(bytes.get(LittleEndian.U32, 8)),
                bytes.get(LittleEndian.U32, 12),
                Integer.toUnsignedLong(bytes.get(LittleEndian.U32, 16)),
                Short.toUnsignedInt(bytes.get(LittleEndian.U16, 20)),
                bytes.get(LittleEndian.U64, 32),
                bytes.get(LittleEndian.U64, 40),
                bytes.get(LittleEndian.U64, 48),
                bytes.get(LittleEndian.U64, 64),
                bytes.get(LittleEndian.U64, 72),
                bytes.get(LittleEndian.U64, 80));
        read.check(file, Short.toUnsignedInt(bytes.get(LittleEndian.U16, 22)));
        return read;
    }

    private void check(MappedFile file, int blockLog) {
        if (blockSize < MIN_BLOCK || blockSize > MAX_BLOCK || blockLog > 20 || blockSize != 1 << blockLog) {
            throw corrupt(file, 12, "the block size should be a power of two from 4096 to 1048576 but is " + blockSize);
        }
        if (used < BYTES || used > file.size()) {
            throw corrupt(
                    file, 40, "the image has " + used + " bytes but the file " + file.size() + "; it is truncated");
        }
        if (inodeTable < BYTES || inodeTable >= directoryTable || directoryTable > used) {
            throw corrupt(
                    file,
                    64,
                    "the inode table at " + inodeTable + " and the directory table at " + directoryTable
                            + " should follow each other within " + used + " bytes");
        }
        if (ids < directoryTable || ids > used) {
            throw corrupt(file, 48, "the id table should be after the directory table, but is at " + ids);
        }
        long needed = 8 * ((fragments * Fragments.ENTRY_BYTES + MetadataStream.BLOCK - 1) / MetadataStream.BLOCK);
        if (fragments > 0 && (fragmentTable < directoryTable || fragmentTable > used - needed)) {
            throw corrupt(file, 80, "the table of " + fragments + " fragments can't be at " + fragmentTable);
        }
    }

    private static CorruptContainerException corrupt(MappedFile file, long at, String reason) {
        return new CorruptContainerException(file.name(), at, reason);
    }
}
