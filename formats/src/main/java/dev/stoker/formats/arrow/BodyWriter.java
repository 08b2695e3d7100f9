package dev.stoker.formats.arrow;

import dev.stoker.format.BlockPlan;
import dev.stoker.format.CompressedBlocks;
import dev.stoker.format.RunWriter;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Gives the body of a record batch, buffer after buffer. In a compressed file every buffer that is not empty begins with
 * its decoded length, or -1 if it is stored as it is; only values are compressed.
 *
 * @param blocks the compressed values; null in a file without compression
 */
record BodyWriter(RunWriter out, @Nullable CompressedBlocks blocks) {
    /** Bytes before each buffer of a compressed file. */
    static final int PREFIX_BYTES = 8;

    private static final long AS_IT_IS = -1;

    /** Begins a buffer of so many bytes that is stored as it is. */
    void begin(long bytes) {
        if (blocks != null && bytes > 0) {
            prefix(AS_IT_IS);
        }
    }

    private void prefix(long decoded) {
        MemorySegment prefix = MemorySegment.ofArray(new byte[PREFIX_BYTES]);
        prefix.set(LittleEndian.U64, 0, decoded);
        out.put(prefix);
    }

    /** Begins a buffer of numbers. */
    NumberWriter numbers(int width, long count) {
        begin(count * width);
        return new NumberWriter(out, width, count);
    }

    /** Gives the values of a field as one buffer. */
    void values(long first, long end, int field, long bytes) {
        if (blocks != null && blocks.cut().fields().contains(field)) {
            block(blocks, first, field);
        } else {
            begin(bytes);
            for (long i = first; i < end; i++) {
                out.value(i, field);
            }
        }
        out.align(BatchLayout.ALIGNMENT);
    }

    private void block(CompressedBlocks compressed, long first, int field) {
        BlockPlan cut = compressed.cut();
        int block = cut.block(cut.groupAt(first), field);
        if (compressed.decoded(block) > 0) {
            prefix(compressed.isPlain(block) ? AS_IT_IS : compressed.decoded(block));
        }
        out.block(block);
    }
}
