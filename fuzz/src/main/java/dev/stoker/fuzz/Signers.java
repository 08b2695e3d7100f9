package dev.stoker.fuzz;

import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** Gives changed files the checksums that fit them. Each looks for structures as a reader does, and stops where there are none. */
final class Signers {
    private static final int INDEX_HEADER = 128;
    private static final int INDEX_ENTRY = 32;
    private static final int MAX_SECTIONS = 256;
    private static final int TAR_BLOCK = 512;
    private static final int TAR_CHECKSUM = 148;
    private static final int ZIP_DIRECTORY_ENTRY = 0x02014b50;
    private static final int ZIP_HEADER_BYTES = 30;

    private Signers() {}

    /** An Index, from a byte on: its sections, their table, and its header. */
    static void index(byte[] input, int from) {
        if (input.length < from + INDEX_HEADER) {
            return;
        }
        MemorySegment bytes = MemorySegment.ofArray(input).asSlice(from);
        int sections = Math.clamp(bytes.get(LittleEndian.U32, 40), 0, (int)
                Math.min(MAX_SECTIONS, (bytes.byteSize() - INDEX_HEADER) / INDEX_ENTRY));
        for (int s = 0; s < sections; s++) {
            long entry = INDEX_HEADER + (long) INDEX_ENTRY * s;
            long offset = bytes.get(LittleEndian.U64, entry + 8);
            long length = bytes.get(LittleEndian.U64, entry + 16);
            boolean isInside = offset >= 0 && length >= 0 && offset <= bytes.byteSize() - length;
            if (isInside && bytes.get(LittleEndian.U32, entry + 24) != 0) {
                bytes.set(LittleEndian.U32, entry + 24, Checksum.of(bytes.asSlice(offset, length)));
            }
        }
        bytes.set(LittleEndian.U64, 16, bytes.byteSize());
        bytes.set(LittleEndian.U32, 44, Checksum.of(bytes.asSlice(INDEX_HEADER, (long) INDEX_ENTRY * sections)));
        bytes.set(LittleEndian.U32, 124, Checksum.of(bytes.asSlice(0, 124)));
    }

    /** Every block of a tar that looks like a header. */
    static void tar(byte[] input) {
        for (int at = 0; at + TAR_BLOCK <= input.length; at += TAR_BLOCK) {
            boolean isHeader = input[at + TAR_CHECKSUM + 6] == 0
                    && input[at + TAR_CHECKSUM] >= '0'
                    && input[at + TAR_CHECKSUM] <= '7';
            if (isHeader) {
                long sum = 8 * ' ';
                for (int i = 0; i < TAR_BLOCK; i++) {
                    sum += i >= TAR_CHECKSUM && i < TAR_CHECKSUM + 8 ? 0 : input[at + i] & 0xff;
                }
                byte[] digits = "%06o\0 ".formatted(sum).getBytes(StandardCharsets.US_ASCII);
                System.arraycopy(digits, 0, input, at + TAR_CHECKSUM, 8);
            }
        }
    }

    /** The records of a TFRecord file, one behind the other. */
    static void records(byte[] input) {
        MemorySegment bytes = MemorySegment.ofArray(input);
        long at = 0;
        while (at + 12 <= bytes.byteSize()) {
            bytes.set(LittleEndian.U32, at + 8, Checksum.masked(bytes.asSlice(at, 8)));
            long length = bytes.get(LittleEndian.U64, at);
            long data = at + 12;
            if (length < 0 || length > bytes.byteSize() - data - 4) {
                return;
            }
            bytes.set(LittleEndian.U32, data + length, Checksum.masked(bytes.asSlice(data, length)));
            at = data + length + 4;
        }
    }

    /** The CRC-32 of stored members, in the directory of a zip and in their own headers. */
    static void zip(byte[] input) {
        MemorySegment bytes = MemorySegment.ofArray(input);
        for (long at = 0; at + 46 <= bytes.byteSize(); at++) {
            if (bytes.get(LittleEndian.U32, at) != ZIP_DIRECTORY_ENTRY || bytes.get(LittleEndian.U16, at + 10) != 0) {
                continue;
            }
            long length = Integer.toUnsignedLong(bytes.get(LittleEndian.U32, at + 20));
            long header = Integer.toUnsignedLong(bytes.get(LittleEndian.U32, at + 42));
            if (header > bytes.byteSize() - ZIP_HEADER_BYTES) {
                continue;
            }
            long data = header
                    + ZIP_HEADER_BYTES
                    + Short.toUnsignedInt(bytes.get(LittleEndian.U16, header + 26))
                    + Short.toUnsignedInt(bytes.get(LittleEndian.U16, header + 28));
            if (data <= bytes.byteSize() - length) {
                var crc = new CRC32();
                crc.update(bytes.asSlice(data, length).toArray(ValueLayout.JAVA_BYTE));
                bytes.set(LittleEndian.U32, at + 16, (int) crc.getValue());
                bytes.set(LittleEndian.U32, header + 14, (int) crc.getValue());
            }
        }
    }
}
