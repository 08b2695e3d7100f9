package dev.stoker.formats.shared.zip;

import static dev.stoker.formats.shared.zip.ZipEnd.u16;
import static dev.stoker.formats.shared.zip.ZipEnd.u32;

import dev.stoker.CorruptContainerException;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One entry of the central directory.
 *
 * @param at its first byte
 * @param end the byte behind it
 * @param rawName the name's bytes as they stand there
 * @param isPacked whether it looks as Stoker writes members
 * @param header where the member's local header is said to be
 */
public record ZipMember(
        long at,
        long end,
        byte[] rawName,
        int madeBy,
        int flags,
        int method,
        int crc,
        long storedLength,
        long length,
        int mode,
        boolean isPacked,
        long header) {
    private static final int DEFLATED = 8;

    public boolean isDeflated() {
        return method == DEFLATED;
    }

    /** Reads the entry at a place of the directory that ends there. */
    static ZipMember read(String file, MemorySegment bytes, long at, long directoryEnd) {
        if (at > directoryEnd - ZipRecords.CENTRAL_BYTES || bytes.get(LittleEndian.U32, at) != ZipRecords.CENTRAL) {
            throw new CorruptContainerException(
                    file, at, "expected the next member of the central directory here (PK 01 02), but found none");
        }
        int nameBytes = u16(bytes, at + 28);
        long extra = at + ZipRecords.CENTRAL_BYTES + nameBytes;
        long extraEnd = extra + u16(bytes, at + 30);
        long end = extraEnd + u16(bytes, at + 32);
        if (end > directoryEnd) {
            throw new CorruptContainerException(
                    file, at, "the member reaches to byte " + end + ", but the directory ends at " + directoryEnd);
        }
        byte[] name = bytes.asSlice(at + ZipRecords.CENTRAL_BYTES, nameBytes).toArray(ValueLayout.JAVA_BYTE);
        var wide = new Zip64(file, bytes, at, extra, extraEnd);
        long length = wide.number(u32(bytes, at + 24));
        long storedLength = wide.number(u32(bytes, at + 20));
        long header = wide.number(u32(bytes, at + 42));
        int madeBy = u16(bytes, at + 4) >> 8;
        int flags = u16(bytes, at + 8);
        int method = u16(bytes, at + 10);
        int mode = u16(bytes, at + 40);
        return new ZipMember(
                at,
                end,
                name,
                madeBy,
                flags,
                method,
                bytes.get(LittleEndian.U32, at + 16),
                storedLength,
                length,
                mode,
                ZipRecords.isPacked(madeBy, flags, method, bytes.get(LittleEndian.U32, at + 12), mode),
                header);
    }

    boolean has(int flag) {
        return (flags & flag) != 0;
    }

    public boolean isFolder() {
        return rawName.length > 0 && rawName[rawName.length - 1] == '/';
    }

    /** The extra field that holds, in their order, the numbers that are too large for 32 bits. */
    private static final class Zip64 {
        private final String file;
        private final MemorySegment bytes;
        private final long member;
        private long next;
        private long end;

        Zip64(String file, MemorySegment bytes, long member, long extra, long extraEnd) {
            this.file = file;
            this.bytes = bytes;
            this.member = member;
            for (long at = extra; at <= extraEnd - 4; at += 4 + u16(bytes, at + 2)) {
                if (u16(bytes, at) == ZipRecords.ZIP64_ID) {
                    next = at + 4;
                    end = Math.min(extraEnd, next + u16(bytes, at + 2));
                    return;
                }
            }
        }

        long number(long narrow) {
            if (narrow != ZipRecords.MAX32) {
                return narrow;
            }
            if (next > end - 8) {
                throw new CorruptContainerException(
                        file,
                        member,
                        "a size or place should be in the zip64 field, but the field has no more numbers");
            }
            long wide = bytes.get(LittleEndian.U64, next);
            next += 8;
            if (wide < 0) {
                throw new CorruptContainerException(file, next - 8, "a size or place is negative: " + wide);
            }
            return wide;
        }
    }
}
