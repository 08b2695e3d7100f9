package dev.stoker.formats.hdf5.structure;

import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Bob Jenkins' hash lookup3 (hashlittle, starting from 0): the checksum of HDF5's newer metadata. */
final class Lookup3 {
    private static final int WORDS_BYTES = 12;

    private Lookup3() {}

    static int of(byte[] bytes) {
        return of(MemorySegment.ofArray(bytes));
    }

    static int of(MemorySegment bytes) {
        long left = bytes.byteSize();
        int a = 0xDEADBEEF + (int) left;
        int b = a;
        int c = a;
        long at = 0;
        for (; left > WORDS_BYTES; left -= WORDS_BYTES, at += WORDS_BYTES) {
            a += bytes.get(LittleEndian.U32, at);
            b += bytes.get(LittleEndian.U32, at + 4);
            c += bytes.get(LittleEndian.U32, at + 8);
            a = (a - c) ^ Integer.rotateLeft(c, 4);
            c += b;
            b = (b - a) ^ Integer.rotateLeft(a, 6);
            a += c;
            c = (c - b) ^ Integer.rotateLeft(b, 8);
            b += a;
            a = (a - c) ^ Integer.rotateLeft(c, 16);
            c += b;
            b = (b - a) ^ Integer.rotateLeft(a, 19);
            a += c;
            c = (c - b) ^ Integer.rotateLeft(b, 4);
            b += a;
        }
        if (left == 0) {
            return c;
        }
        a += word(bytes, at, left);
        b += word(bytes, at + 4, left - 4);
        c += word(bytes, at + 8, left - 8);
        return last(a, b, c);
    }

    private static int last(int first, int second, int third) {
        int a = first;
        int b = second;
        int c = third;
        c = (c ^ b) - Integer.rotateLeft(b, 14);
        a = (a ^ c) - Integer.rotateLeft(c, 11);
        b = (b ^ a) - Integer.rotateLeft(a, 25);
        c = (c ^ b) - Integer.rotateLeft(b, 16);
        a = (a ^ c) - Integer.rotateLeft(c, 4);
        b = (b ^ a) - Integer.rotateLeft(a, 14);
        c = (c ^ b) - Integer.rotateLeft(b, 24);
        return c;
    }

    /** Up to four bytes as a number; those that are not there count as zeros. */
    private static int word(MemorySegment bytes, long at, long left) {
        int word = 0;
        for (int i = 0; i < Math.min(4, left); i++) {
            word |= (bytes.get(ValueLayout.JAVA_BYTE, at + i) & 0xff) << (8 * i);
        }
        return word;
    }
}
