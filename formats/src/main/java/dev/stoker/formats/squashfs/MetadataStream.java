package dev.stoker.formats.squashfs;

import dev.stoker.format.RunWriter;
import dev.stoker.memory.Layouts;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A table that is being made: bytes, cut into metadata blocks that are not compressed. */
final class MetadataStream {
    static final int BLOCK = 8192;
    static final int HEADER = 2;
    static final int UNCOMPRESSED = 0x8000;

    private final List<byte[]> blocks = new ArrayList<>();
    private ByteBuffer block = ByteBuffer.wrap(new byte[0]);
    private long size;

    /** Bytes so far, without the blocks' headers. */
    long size() {
        return size;
    }

    /** Bytes that the table takes in the image. */
    long stored() {
        return size + HEADER * ((size + BLOCK - 1) / BLOCK);
    }

    /** Where the block that holds a byte begins in the table. */
    static long blockOf(long at) {
        return at / BLOCK * (BLOCK + HEADER);
    }

    static int offsetIn(long at) {
        return (int) (at % BLOCK);
    }

    void u16(int value) {
        u8(value);
        u8(value >> 8);
    }

    void u32(long value) {
        u16((int) value);
        u16((int) (value >> 16));
    }

    void u64(long value) {
        u32(value);
        u32(value >> 32);
    }

    void bytes(byte[] from, int start, int end) {
        for (int i = start; i < end; i++) {
            u8(from[i]);
        }
    }

    private void u8(int value) {
        if (!block.hasRemaining()) {
            byte[] next = new byte[BLOCK];
            blocks.add(next);
            block = ByteBuffer.wrap(next);
        }
        block.put((byte) value);
        size++;
    }

    void writeTo(RunWriter out) {
        long left = size;
        MemorySegment header = MemorySegment.ofArray(new byte[HEADER]);
        for (byte[] bytes : blocks) {
            int length = (int) Math.min(BLOCK, left);
            header.set(Layouts.U16, 0, (short) (UNCOMPRESSED | length));
            out.put(header);
            out.put(MemorySegment.ofArray(bytes).asSlice(0, length));
            left -= length;
        }
    }
}
