package dev.stoker.image.jpeg;

import java.util.Arrays;

/** Entropy-coded data as a file has it: bits from the highest on, and a zero after each byte of ones. */
final class StuffedBits {
    byte[] bytes = new byte[1 << 16];
    int length;
    private long bits;
    private int count;

    /** Begins anew with bytes that are taken as they are. */
    void begin(byte[] from, int at, int size) {
        length = 0;
        bits = 0;
        count = 0;
        raw(from, at, size);
    }

    /** Bytes as they are; all bits before must have been {@linkplain #fill filled up}. */
    void raw(byte[] from, int at, int size) {
        reserve(size);
        System.arraycopy(from, at, bytes, length, size);
        length += size;
    }

    /** The lowest bits of a number, 32 at the most. */
    void put(long value, int size) {
        bits = bits << size | value & (1L << size) - 1;
        count += size;
        reserve(16);
        while (count >= 8) {
            count -= 8;
            byte next = (byte) (bits >>> count);
            bytes[length++] = next;
            if (next == -1) {
                bytes[length++] = 0;
            }
        }
    }

    /** Bits [from, to) of data without stuffing, which has 8 bytes to spare. */
    void copy(byte[] data, int from, int to) {
        for (int at = from; at < to; ) {
            int size = Math.min(32, to - at);
            long window = 0;
            for (int i = 0; i < 5; i++) {
                window = window << 8 | data[(at >>> 3) + i] & 255;
            }
            put(window >>> 40 - (at & 7) - size, size);
            at += size;
        }
    }

    /** Ones up to the next whole byte, as the standard has it before a marker. */
    void fill() {
        if (count > 0) {
            put(-1, 8 - count);
        }
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(length, more)));
        }
    }
}
