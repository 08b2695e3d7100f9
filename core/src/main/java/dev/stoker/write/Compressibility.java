package dev.stoker.write;

import dev.stoker.block.Codec;
import dev.stoker.block.Codecs;
import dev.stoker.format.BlockPlan;
import dev.stoker.sample.Samples;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * How much smaller samples get, measured on some of them that lie evenly among all.
 *
 * @param plain bytes of the samples that were tried
 * @param stored bytes of what these became
 */
public record Compressibility(String codec, long plain, long stored) {
    private static final int BLOCKS = 16;
    /** What is saved has to pay for decoding it again in every epoch. */
    private static final double WORTHWHILE = 0.9;

    /** The part of the bytes that remains. */
    public double ratio() {
        return plain == 0 ? 1 : (double) stored / plain;
    }

    public boolean isWorthwhile() {
        return ratio() < WORTHWHILE;
    }

    /** Compresses some blocks, and throws them away. */
    public static Compressibility measure(Samples samples, BlockPlan cut) {
        Codec codec = Codecs.named(cut.codec());
        int count = Math.min(BLOCKS, cut.blocks());
        long plain = 0;
        long stored = 0;
        for (int b = 0; b < count; b++) {
            int block = (int) ((long) b * cut.blocks() / count);
            try (var arena = Arena.ofConfined()) {
                MemorySegment whole = arena.allocate(BlockValues.bytes(samples, cut, block), 64);
                BlockValues.gather(samples, cut, block, whole, (_, _) -> {});
                plain += whole.byteSize();
                stored += Math.min(whole.byteSize(), codec.encode(whole).byteSize());
            }
        }
        return new Compressibility(cut.codec(), plain, stored);
    }
}
