package dev.stoker.formats.squashfs;

import dev.stoker.StokerException;
import dev.stoker.format.RunWriter;
import dev.stoker.format.TreeFields;
import dev.stoker.sample.Samples;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The tables of an image that is being planned: all of it but the data. Planning counts their bytes; they are made when
 * they are written, so that a plan of many files stays small.
 */
final class SquashTables {
    static final int BLOCK_SIZE = 1 << 17;

    private static final long MAX32 = 0xffff_ffffL;
    private static final int ID_BYTES = 4;

    private final Samples samples;
    private final TreeFields fields;
    private final int[] order;
    private final long dataEnd;
    private final long root;
    private final long inodeCount;
    private final long inodeBytes;
    private final long directoryBytes;

    /** Plans the tables of samples whose data lies in their order from the superblock on. */
    SquashTables(Samples samples, TreeFields fields) {
        this.samples = samples;
        this.fields = fields;
        this.order = KeyOrder.of(samples, fields.key());
        MetadataStream inodes = MetadataStream.counting();
        MetadataStream directories = MetadataStream.counting();
        var walk = new TableWalk(samples, fields, order, inodes, directories);
        this.dataEnd = walk.dataEnd();
        this.root = walk.root();
        this.inodeCount = walk.count();
        this.inodeBytes = inodes.stored();
        this.directoryBytes = directories.stored();
        if (inodeBytes > MAX32 || directoryBytes > MAX32) {
            throw new StokerException("format squashfs has room for tables of 4 GiB, but inodes and names of "
                    + samples.count() + " samples take " + inodeBytes + " and " + directoryBytes
                    + " bytes; pack them into several images, or choose another format");
        }
    }

    /** The byte behind the last file's data, where the tables begin. */
    long dataEnd() {
        return dataEnd;
    }

    long directoryTable() {
        return dataEnd + inodeBytes;
    }

    private long idBlocks() {
        return directoryTable() + directoryBytes;
    }

    /** Where the image ends, before its padding. */
    long end() {
        return idBlocks() + MetadataStream.HEADER + ID_BYTES + 8;
    }

    Superblock superblock() {
        long rootReference = MetadataStream.blockOf(root) << 16 | MetadataStream.offsetIn(root);
        return new Superblock(
                inodeCount,
                0,
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

    void writeInodes(RunWriter out) {
        new TableWalk(samples, fields, order, MetadataStream.to(out), MetadataStream.counting());
    }

    /** All that follows the inodes. */
    void writeDirectories(RunWriter out) {
        new TableWalk(samples, fields, order, MetadataStream.counting(), MetadataStream.to(out));
        MetadataStream ids = MetadataStream.to(out);
        ids.u32(0);
        ids.finish();
        var place = new byte[8];
        ByteBuffer.wrap(place).order(ByteOrder.LITTLE_ENDIAN).putLong(idBlocks());
        out.put(place);
    }
}
