package dev.stoker.formats.squashfs;

import dev.stoker.format.RunWriter;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * A table that is being made: bytes, cut into metadata blocks that are not compressed. They go to the image block by
 * block, or are only counted: the tables of many files are large, so no plan holds them.
 */
final class MetadataStream {
    static final int BLOCK = 8192;
    static final int HEADER = 2;
    static final int UNCOMPRESSED = 0x8000;

    private final @Nullable RunWriter out;
    private final MemorySegment block;
    private long size;

    private MetadataStream(@Nullable RunWriter out) {
        this.out = out;
        // Values are put behind each other without a look at the end, so the block has room for one more.
        this.block = MemorySegment.ofArray(new byte[HEADER + BLOCK + Long.BYTES]);
    }

    static MetadataStream counting() {
        return new MetadataStream(null);
    }

    static MetadataStream to(RunWriter out) {
        return new MetadataStream(out);
    }

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
        if (out != null) {
            block.set(LittleEndian.U16, HEADER + offsetIn(size), (short) value);
        }
        advance(Short.BYTES);
    }

    void u32(long value) {
        if (out != null) {
            block.set(LittleEndian.U32, HEADER + offsetIn(size), (int) value);
        }
        advance(Integer.BYTES);
    }

    void u64(long value) {
        if (out != null) {
            block.set(LittleEndian.U64, HEADER + offsetIn(size), value);
        }
        advance(Long.BYTES);
    }

    void bytes(byte[] from, int start, int end) {
        if (out == null) {
            size += end - start;
            return;
        }
        for (int done = start; done < end; ) {
            int part = Math.min(end - done, BLOCK - offsetIn(size));
            MemorySegment.copy(from, done, block, ValueLayout.JAVA_BYTE, HEADER + offsetIn(size), part);
            advance(part);
            done += part;
        }
    }

    private void advance(int bytes) {
        int at = offsetIn(size);
        size += bytes;
        if (out != null && at + bytes >= BLOCK) {
            put(BLOCK);
            MemorySegment.copy(block, HEADER + BLOCK, block, HEADER, Long.BYTES);
        }
    }

    private void put(int length) {
        if (out != null) {
            block.set(LittleEndian.U16, 0, (short) (UNCOMPRESSED | length));
            out.put(block.asSlice(0, HEADER + length));
        }
    }

    /** Gives the last block to the image. */
    void finish() {
        if (offsetIn(size) > 0) {
            put(offsetIn(size));
        }
    }
}
