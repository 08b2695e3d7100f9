package dev.stoker.write;

import dev.stoker.format.BlockPlan;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;

/** The values of a block before it is compressed, one after another. */
final class BlockValues {
    /** Is told of each value. */
    interface Each {
        void value(long sample, MemorySegment value);
    }

    private BlockValues() {}

    /** How many bytes a block has. */
    static long bytes(Samples samples, BlockPlan cut, int block) {
        long bytes = 0;
        for (long i = cut.first(cut.group(block)); i < cut.end(cut.group(block)); i++) {
            bytes += cut.before() + samples.length(i, cut.field(block));
        }
        return bytes;
    }

    /** Reads all values of a block into memory that has room for them. */
    static void gather(Samples samples, BlockPlan cut, int block, MemorySegment to, Each each) {
        int field = cut.field(block);
        long at = 0;
        for (long i = cut.first(cut.group(block)); i < cut.end(cut.group(block)); i++) {
            long length = samples.length(i, field);
            if (cut.lengths()) {
                to.set(LittleEndian.U32, at, (int) length);
            }
            at += cut.before();
            MemorySegment value = to.asSlice(at, length);
            samples.read(i, field, 0, value);
            each.value(i, value);
            at += length;
        }
    }
}
