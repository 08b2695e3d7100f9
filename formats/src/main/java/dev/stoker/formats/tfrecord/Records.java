package dev.stoker.formats.tfrecord;

import dev.stoker.CorruptContainerException;
import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;
import java.lang.foreign.MemorySegment;

/** The frame of records, and a walk through those of a file. */
final class Records {
    static final int HEADER_BYTES = 12;
    static final int FOOTER_BYTES = 4;

    private final MappedFile file;
    private final boolean checking;
    private long next;
    private long start;
    private long length;

    /**
     * Begins before the first record.
     *
     * @param checking whether the examples are compared with their CRCs
     */
    Records(MappedFile file, boolean checking) {
        this.file = file;
        this.checking = checking;
    }

    static byte[] header(long length) {
        var bytes = new byte[HEADER_BYTES];
        MemorySegment header = MemorySegment.ofArray(bytes);
        header.set(LittleEndian.U64, 0, length);
        header.set(LittleEndian.U32, 8, Checksum.masked(header.asSlice(0, 8)));
        return bytes;
    }

    static byte[] footer(int crc) {
        var bytes = new byte[FOOTER_BYTES];
        MemorySegment.ofArray(bytes).set(LittleEndian.U32, 0, Checksum.masked(crc));
        return bytes;
    }

    /** Steps to the next record; false at the end of the file. */
    boolean step() {
        if (next == file.size()) {
            return false;
        }
        MemorySegment bytes = file.bytes();
        long rest = file.size() - next - HEADER_BYTES - FOOTER_BYTES;
        if (rest < 0) {
            throw corrupt("a record has at least 16 bytes but the file has only " + (file.size() - next) + " more");
        }
        length = bytes.get(LittleEndian.U64, next);
        if (bytes.get(LittleEndian.U32, next + 8) != Checksum.masked(bytes.asSlice(next, 8))) {
            throw corrupt("the CRC of a record's length does not fit; the file is damaged, or not a TFRecord");
        }
        if (length < 0 || length > rest) {
            throw corrupt("a record should have " + length + " bytes but the file has only " + rest
                    + " more; it is truncated");
        }
        start = next + HEADER_BYTES;
        if (checking && bytes.get(LittleEndian.U32, start + length) != Checksum.masked(bytes.asSlice(start, length))) {
            throw corrupt("the CRC of this record does not fit; the file is damaged");
        }
        next = start + length + FOOTER_BYTES;
        return true;
    }

    private CorruptContainerException corrupt(String reason) {
        return new CorruptContainerException(file.name(), next, reason);
    }

    /** Where the example begins. */
    long start() {
        return start;
    }

    long length() {
        return length;
    }
}
