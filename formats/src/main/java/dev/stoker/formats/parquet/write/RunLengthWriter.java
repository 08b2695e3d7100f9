package dev.stoker.formats.parquet.write;

import java.io.ByteArrayOutputStream;

/**
 * Writes levels of one bit as runs of equal ones (the RLE half of Parquet's hybrid encoding): for each run, twice its
 * length as varint, then the level as a byte.
 */
final class RunLengthWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private int level;
    private long count;

    void add(int next, long times) {
        if (times == 0) {
            return;
        }
        if (next != level) {
            flush();
            level = next;
        }
        count += times;
    }

    private void flush() {
        if (count > 0) {
            long rest = count << 1;
            while (rest > 0x7f) {
                out.write((int) (rest & 0x7f | 0x80));
                rest >>>= 7;
            }
            out.write((int) rest);
            out.write(level);
        }
        count = 0;
    }

    byte[] finish() {
        flush();
        return out.toByteArray();
    }
}
