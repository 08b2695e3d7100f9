package dev.stoker.formats.hdf5.structure;

/** A version 2 B-tree: of a group's links, or of a dataset's chunks. */
final class BTree2 {
    private static final int NODE_FRAME = 10;
    private static final int MAX_DEPTH = 64;

    private final FileBytes file;
    private final int type;
    private final int nodeBytes;
    private final int recordBytes;
    private final int depth;
    private final long root;
    private final int rootRecords;
    /** For each level the size of the number of all records below a node of it; leaves are level 0. */
    private final int[] totalBytes;

    private final int countBytes;
    private final FileBytes.Seen seen;

    /** Takes the place of a record and its size. */
    interface Record {
        void at(long place, int bytes);
    }

    BTree2(FileBytes file, long header, int type) {
        this.file = file;
        this.type = type;
        this.seen = file.new Seen();
        file.signature(header, "BTHD");
        file.checksum(header, 16L + file.offsetBytes() + 2 + file.lengthBytes(), "the header of a B-tree");
        if (file.u8(header + 5) != type) {
            throw file.corrupt(header, "a B-tree should have type " + type + " but has " + file.u8(header + 5));
        }
        this.nodeBytes = Math.toIntExact(file.u32(header + 6));
        this.recordBytes = file.u16(header + 10);
        this.depth = file.u16(header + 12);
        this.root = file.address(header + 16);
        this.rootRecords = file.u16(header + 16 + file.offsetBytes());
        if (recordBytes == 0 || nodeBytes < NODE_FRAME + recordBytes || depth > MAX_DEPTH) {
            throw file.corrupt(
                    header,
                    "a B-tree has nodes of " + nodeBytes + " bytes, records of " + recordBytes + " and depth " + depth
                            + ", which cannot be");
        }
        long most = (long) (nodeBytes - NODE_FRAME) / recordBytes;
        this.countBytes = bytesFor(most);
        this.totalBytes = new int[depth + 1];
        long total = most;
        for (int level = 1; level <= depth; level++) {
            int pointer = pointerBytes(level);
            most = Math.max(0, (long) nodeBytes - NODE_FRAME - pointer) / (recordBytes + pointer);
            total = saturated(most + 1, total) + most;
            totalBytes[level] = bytesFor(total);
        }
    }

    /** Enough for any file; a hostile depth must not overflow. */
    private static long saturated(long a, long b) {
        return Math.multiplyHigh(a, b) != 0 || a * b < 0 ? Long.MAX_VALUE >> 1 : Math.min(a * b, Long.MAX_VALUE >> 1);
    }

    private static int bytesFor(long limit) {
        return (63 - Long.numberOfLeadingZeros(Math.max(1, limit))) / 8 + 1;
    }

    private int pointerBytes(int level) {
        return file.offsetBytes() + countBytes + (level > 1 ? totalBytes[level - 1] : 0);
    }

    /** Visits all records; not in the order of their keys. */
    void records(Record record) {
        if (root != FileBytes.UNDEFINED) {
            node(root, depth, rootRecords, record);
        }
    }

    private void node(long at, int level, int records, Record record) {
        seen.add(at, "a node of a B-tree");
        file.signature(at, level == 0 ? "BTLF" : "BTIN");
        long first = at + 6;
        int pointer = level == 0 ? 0 : pointerBytes(level);
        long children = first + (long) records * recordBytes;
        long length = children + (level == 0 ? 0 : (records + 1L) * pointer) - at;
        if (length + 4 > nodeBytes || file.u8(at + 5) != type) {
            throw file.corrupt(at, "a node of a B-tree should hold at most " + nodeBytes + " bytes of type " + type);
        }
        file.checksum(at, length, "a node of a B-tree");
        for (int r = 0; r < records; r++) {
            record.at(first + (long) r * recordBytes, recordBytes);
        }
        for (int c = 0; level > 0 && c <= records; c++) {
            long child = children + (long) c * pointer;
            int count = (int) file.uint(child + file.offsetBytes(), countBytes);
            node(file.address(child), level - 1, count, record);
        }
    }
}
