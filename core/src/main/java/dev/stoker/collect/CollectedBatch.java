package dev.stoker.collect;

import dev.stoker.format.CollectedSamples;
import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A batch that was found in a file.
 *
 * @param before how many samples its rank gave before
 * @param table where its table begins
 * @param values where its values begin
 * @param last whether its rank is done with it
 */
record CollectedBatch(int rank, int samples, long before, long table, long values, long length, boolean last) {
    /** Reads the batch at a place; null if there is no whole one. */
    static @Nullable CollectedBatch at(MemorySegment file, long at, long limit, int headChecksum) {
        if (limit - at < BatchWriter.HEAD_BYTES || !isBegun(file, at)) {
            return null;
        }
        MemorySegment head = file.asSlice(at, BatchWriter.HEAD_BYTES);
        long tableBytes = head.get(LittleEndian.U64, 24);
        long length = head.get(LittleEndian.U64, 32);
        int samples = head.get(LittleEndian.U32, 12);
        if (head.get(LittleEndian.U32, BatchWriter.CHECKED_BYTES)
                        != Checksum.of(head.asSlice(0, BatchWriter.CHECKED_BYTES))
                || head.get(LittleEndian.U32, 48) != headChecksum
                || samples < 0
                || tableBytes < 0
                || tableBytes > limit - at
                || length < 0
                || length > limit - at) {
            return null;
        }
        long table = at + BatchWriter.HEAD_BYTES;
        long values = LittleEndian.align(table + tableBytes, BatchWriter.ALIGNMENT);
        if (values + length > limit
                || head.get(LittleEndian.U32, 40) != Checksum.of(file.asSlice(table, values + length - table))) {
            return null;
        }
        return new CollectedBatch(
                head.get(LittleEndian.U32, 8),
                samples,
                head.get(LittleEndian.U64, 16),
                table,
                values,
                length,
                head.get(LittleEndian.U32, 44) == 1);
    }

    /** Whether anything was written at the place of a batch. */
    static boolean isBegun(MemorySegment file, long at) {
        return at <= file.byteSize() - BatchWriter.HEAD_BYTES
                && file.asSlice(at, BatchWriter.MAGIC.length).mismatch(MemorySegment.ofArray(BatchWriter.MAGIC)) < 0;
    }

    /** Its first byte. */
    long start() {
        return table - BatchWriter.HEAD_BYTES;
    }

    /** The first byte behind it. */
    long end() {
        return values + length;
    }

    CollectedSamples.Block block() {
        return new CollectedSamples.Block(values, length);
    }
}
