package dev.stoker.formats.shared.zip;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;
import java.lang.foreign.MemorySegment;

/**
 * What the end of an archive says of its central directory; checked against the file.
 *
 * @param offset the directory's first byte
 * @param end the byte behind its last
 * @param count how many members it has
 */
record ZipEnd(long offset, long end, long count) {
    /** The record itself: its place and its numbers, of which some may stand for "see zip64". */
    private record Found(long at, int disk, int directoryDisk, int onDisk, int count, long length, long offset) {}

    static ZipEnd find(MappedFile file) {
        MemorySegment bytes = file.bytes();
        Found end = findEnd(file);
        long locator = end.at() - ZipRecords.LOCATOR64_BYTES;
        if (locator >= 0 && bytes.get(LittleEndian.U32, locator) == ZipRecords.LOCATOR64) {
            return ofZip64(file, end, locator);
        }
        if (end.disk() != 0 || end.directoryDisk() != 0 || end.onDisk() != end.count()) {
            throw severalDisks(file, end.at());
        }
        return checked(file, end.at(), end.offset(), end.length(), end.count());
    }

    /** The last one whose comment fills the rest of the file. */
    private static Found findEnd(MappedFile file) {
        MemorySegment bytes = file.bytes();
        long last = file.size() - ZipRecords.END_BYTES;
        for (long at = last; at >= 0 && at >= last - ZipRecords.MAX16; at--) {
            if (bytes.get(LittleEndian.U32, at) == ZipRecords.END && u16(bytes, at + 20) == last - at) {
                return new Found(
                        at,
                        u16(bytes, at + 4),
                        u16(bytes, at + 6),
                        u16(bytes, at + 8),
                        u16(bytes, at + 10),
                        u32(bytes, at + 12),
                        u32(bytes, at + 16));
            }
        }
        throw new CorruptContainerException(
                file.name(),
                Math.max(0, last),
                "expected the end of a zip archive (PK 05 06) here, or before a comment, but found none; the file is"
                        + " truncated, or something was appended to it");
    }

    private static ZipEnd ofZip64(MappedFile file, Found end, long locator) {
        MemorySegment bytes = file.bytes();
        long at = bytes.get(LittleEndian.U64, locator + 8);
        if (at < 0
                || at > locator - ZipRecords.END64_BYTES
                || bytes.get(LittleEndian.U32, at) != ZipRecords.END64
                || bytes.get(LittleEndian.U64, at + 4) != locator - at - 12) {
            throw new CorruptContainerException(
                    file.name(),
                    locator,
                    "expected the zip64 end at byte " + at + ", reaching up to here, but found none");
        }
        long count = bytes.get(LittleEndian.U64, at + 32);
        long length = bytes.get(LittleEndian.U64, at + 40);
        long offset = bytes.get(LittleEndian.U64, at + 48);
        if (bytes.get(LittleEndian.U32, at + 16) != 0
                || bytes.get(LittleEndian.U32, at + 20) != 0
                || bytes.get(LittleEndian.U64, at + 24) != count) {
            throw severalDisks(file, at);
        }
        if ((end.count() != ZipRecords.MAX16 && end.count() != count)
                || (end.length() != ZipRecords.MAX32 && end.length() != length)
                || (end.offset() != ZipRecords.MAX32 && end.offset() != offset)) {
            throw new CorruptContainerException(
                    file.name(),
                    end.at(),
                    "the end and the zip64 end at byte " + at + " disagree about the central directory");
        }
        return checked(file, at, offset, length, count);
    }

    private static ZipEnd checked(MappedFile file, long end, long offset, long length, long count) {
        if (length < 0 || length > end || offset != end - length) {
            throw new CorruptContainerException(
                    file.name(),
                    end,
                    "the central directory should end here; according to the end of the archive it begins at byte "
                            + offset + " and has "
                            + length + " bytes. If bytes were put before the archive, as in one that extracts itself,"
                            + " repair it with: zip -A");
        }
        if (count < 0 || count > length / ZipRecords.CENTRAL_BYTES) {
            throw new CorruptContainerException(
                    file.name(),
                    end,
                    "the central directory of " + length + " bytes cannot have " + count + " members");
        }
        return new ZipEnd(offset, end, count);
    }

    private static StokerException severalDisks(MappedFile file, long at) {
        return new StokerException(
                file.path(),
                "byte " + at
                        + ": the archive is one of several parts; join them with: zip -s 0 PARTS.zip --out ONE.zip");
    }

    static int u16(MemorySegment bytes, long at) {
        return Short.toUnsignedInt(bytes.get(LittleEndian.U16, at));
    }

    static long u32(MemorySegment bytes, long at) {
        return Integer.toUnsignedLong(bytes.get(LittleEndian.U32, at));
    }
}
