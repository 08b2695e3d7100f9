package dev.stoker.formats.tar;

import static dev.stoker.formats.shared.tar.TarHeader.BLOCK;

import dev.stoker.formats.shared.tar.TarHeader;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What one block of 512 bytes says, in all the ways in which programs have written it. */
final class TarBlock {
    private static final long EVEN = 0x00ff00ff00ff00ffL;

    private TarBlock() {}

    /** A number in octal digits between blanks, or in base 256 if its first bit is set; -1 if it is neither. */
    static long number(MemorySegment bytes, long start, int width) {
        int first = bytes.get(ValueLayout.JAVA_BYTE, start) & 0xff;
        if (first >= 0x80) {
            return first == 0x80 ? base256(bytes, start + 1, width - 1) : -1;
        }
        long value = 0;
        boolean ended = false;
        boolean begun = false;
        for (long i = start; i < start + width; i++) {
            int digit = bytes.get(ValueLayout.JAVA_BYTE, i);
            if (digit == ' ' || digit == 0) {
                ended = begun || digit == 0;
            } else if (digit < '0' || digit > '7' || ended) {
                return -1;
            } else {
                begun = true;
                value = value << 3 | (digit - '0');
            }
        }
        return value;
    }

    private static long base256(MemorySegment bytes, long start, int width) {
        long value = 0;
        for (long i = start; i < start + width; i++) {
            if (value >>> 55 != 0) {
                return -1;
            }
            value = value << 8 | (bytes.get(ValueLayout.JAVA_BYTE, i) & 0xff);
        }
        return value;
    }

    /** Whether a block is one of those that end an archive. */
    static boolean isZeros(MemorySegment bytes, long start) {
        for (long i = start; i < start + BLOCK; i += 8) {
            if (bytes.get(LittleEndian.U64, i) != 0) {
                return false;
            }
        }
        return true;
    }

    /** The sum of all bytes, with the checksum itself as blanks; old writers took the bytes as signed. */
    static boolean isChecksum(MemorySegment bytes, long start) {
        long expected = number(bytes, start + TarHeader.CHECKSUM, 8);
        long unsigned = sum(bytes, start);
        int negative = 0;
        for (long i = start + TarHeader.CHECKSUM; i < start + TarHeader.CHECKSUM + 8; i++) {
            unsigned += ' ' - (bytes.get(ValueLayout.JAVA_BYTE, i) & 0xff);
        }
        if (expected == unsigned) {
            return true;
        }
        for (long i = start; i < start + BLOCK; i++) {
            boolean isOwn = i >= start + TarHeader.CHECKSUM && i < start + TarHeader.CHECKSUM + 8;
            negative += !isOwn && bytes.get(ValueLayout.JAVA_BYTE, i) < 0 ? 1 : 0;
        }
        return expected == unsigned - 256L * negative;
    }

    /** Eight bytes at a time, in four lanes of 16 bits, which 128 bytes each cannot overflow. */
    private static long sum(MemorySegment bytes, long start) {
        long lanes = 0;
        for (long i = start; i < start + BLOCK; i += 8) {
            long eight = bytes.get(LittleEndian.U64, i);
            lanes += (eight & EVEN) + (eight >>> 8 & EVEN);
        }
        return (lanes & 0xffff) + (lanes >>> 16 & 0xffff) + (lanes >>> 32 & 0xffff) + (lanes >>> 48);
    }
}
