package dev.stoker.image.kernel;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.I2B;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.ZERO_EXTEND_B2I;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/** The two passes of the resize, for vectors of 256 bits and more. Flat on purpose, see {@link VectorKernels}. */
final class VectorResize {
    private static final boolean IS_512 = IntVector.SPECIES_PREFERRED.vectorBitSize() >= 512;
    private static final VectorSpecies<Integer> S = IS_512 ? IntVector.SPECIES_512 : IntVector.SPECIES_256;
    /** As many bytes as S has lanes. */
    private static final VectorSpecies<Byte> QUARTER = IS_512 ? ByteVector.SPECIES_128 : ByteVector.SPECIES_64;

    private static final VectorSpecies<Byte> WINDOW = ByteVector.SPECIES_512;
    private static final int WIDTH = S.length();
    private static final int SHIFT = Kernels.WEIGHT_BITS;
    private static final int HALF = 1 << SHIFT - 1;

    private VectorResize() {}

    /** Fetches the pixels of 16 outputs from one window of 64 bytes with a byte permutation. */
    static void rowByPermutation(
            ResizeTaps taps, byte[] red, byte[] green, byte[] blue, byte[] out, int outAt, int channelStride) {
        final int[] weights = taps.groupWeights;
        for (int g = 0; g < taps.groups; g++) {
            ByteVector places = ByteVector.fromArray(WINDOW, taps.groupPlaces, g * 64);
            int base = taps.groupBase[g];
            int w = g * taps.perOutput * 16;
            int n = taps.groupTaps[g];
            IntVector r = IntVector.broadcast(S, HALF), gr = r, b = r;
            for (int t = 0; t < n; t++, w += 16) {
                IntVector k = IntVector.fromArray(S, weights, w);
                r = r.add(places.selectFrom(ByteVector.fromArray(WINDOW, red, base + t))
                        .reinterpretAsInts()
                        .and(255)
                        .mul(k));
                gr = gr.add(places.selectFrom(ByteVector.fromArray(WINDOW, green, base + t))
                        .reinterpretAsInts()
                        .and(255)
                        .mul(k));
                b = b.add(places.selectFrom(ByteVector.fromArray(WINDOW, blue, base + t))
                        .reinterpretAsInts()
                        .and(255)
                        .mul(k));
            }
            int o = outAt + g * 16;
            ((ByteVector) r.lanewise(ASHR, SHIFT).max(0).min(255).convertShape(I2B, QUARTER, 0)).intoArray(out, o);
            ((ByteVector) gr.lanewise(ASHR, SHIFT).max(0).min(255).convertShape(I2B, QUARTER, 0))
                    .intoArray(out, o + channelStride);
            ((ByteVector) b.lanewise(ASHR, SHIFT).max(0).min(255).convertShape(I2B, QUARTER, 0))
                    .intoArray(out, o + 2 * channelStride);
        }
    }

    /** Three channels of a pixel in one integer, for {@link #rowByFetching}. */
    static void pack(byte[] red, byte[] green, byte[] blue, int count, int[] packed) {
        for (int i = 0; i < count; i += WIDTH) {
            IntVector r = (IntVector) ByteVector.fromArray(QUARTER, red, i).convertShape(ZERO_EXTEND_B2I, S, 0);
            IntVector g = (IntVector) ByteVector.fromArray(QUARTER, green, i).convertShape(ZERO_EXTEND_B2I, S, 0);
            IntVector b = (IntVector) ByteVector.fromArray(QUARTER, blue, i).convertShape(ZERO_EXTEND_B2I, S, 0);
            r.or(g.lanewise(LSHL, 8)).or(b.lanewise(LSHL, 16)).intoArray(packed, i);
        }
    }

    /** Fetches the pixels wherever they are, one by one. */
    static void rowByFetching(ResizeTaps taps, int[] packed, byte[] out, int outAt, int channelStride) {
        final int[] weights = taps.groupWeights;
        final int[] fetched = taps.fetched;
        for (int g = 0; g < taps.groups; g++) {
            int n = taps.groupTaps[g];
            fetch(packed, taps.first, g * 16, n, fetched);
            for (int lane = 0; lane < 16; lane += WIDTH) {
                int w = g * taps.perOutput * 16 + lane;
                IntVector r = IntVector.broadcast(S, HALF), gr = r, b = r;
                for (int t = 0; t < n; t++, w += 16) {
                    IntVector k = IntVector.fromArray(S, weights, w);
                    IntVector p = IntVector.fromArray(S, fetched, t * 16 + lane);
                    r = r.add(p.and(255).mul(k));
                    gr = gr.add(p.lanewise(LSHR, 8).and(255).mul(k));
                    b = b.add(p.lanewise(LSHR, 16).mul(k));
                }
                int o = outAt + g * 16 + lane;
                ((ByteVector) r.lanewise(ASHR, SHIFT).max(0).min(255).convertShape(I2B, QUARTER, 0)).intoArray(out, o);
                ((ByteVector) gr.lanewise(ASHR, SHIFT).max(0).min(255).convertShape(I2B, QUARTER, 0))
                        .intoArray(out, o + channelStride);
                ((ByteVector) b.lanewise(ASHR, SHIFT).max(0).min(255).convertShape(I2B, QUARTER, 0))
                        .intoArray(out, o + 2 * channelStride);
            }
        }
    }

    /**
     * The pixels of 16 outputs from x on, side by side as their weights are. Gather loads would do the same, but on AVX2 the
     * compiler often does not make them of the Vector API's (JDK 25), which then is several times slower.
     */
    private static void fetch(int[] packed, int[] first, int x, int taps, int[] to) {
        for (int lane = 0; lane < 16; lane++) {
            int from = first[x + lane];
            for (int t = 0; t < taps; t++) {
                to[t * 16 + lane] = packed[from + t];
            }
        }
    }

    static void columns(byte[] in, int at, int stride, int[] weights, int weightsAt, int taps, int count, byte[] out) {
        for (int i = 0; i < count; i += 2 * WIDTH) {
            IntVector a = IntVector.broadcast(S, HALF), b = a;
            int s = at + i;
            for (int t = 0; t < taps; t++, s += stride) {
                int k = weights[weightsAt + t];
                a = a.add(
                        ((IntVector) ByteVector.fromArray(QUARTER, in, s).convertShape(ZERO_EXTEND_B2I, S, 0)).mul(k));
                b = b.add(((IntVector)
                                ByteVector.fromArray(QUARTER, in, s + WIDTH).convertShape(ZERO_EXTEND_B2I, S, 0))
                        .mul(k));
            }
            ((ByteVector) a.lanewise(ASHR, SHIFT).max(0).min(255).convertShape(I2B, QUARTER, 0)).intoArray(out, i);
            ((ByteVector) b.lanewise(ASHR, SHIFT).max(0).min(255).convertShape(I2B, QUARTER, 0))
                    .intoArray(out, i + WIDTH);
        }
    }
}
