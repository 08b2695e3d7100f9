package dev.stoker.image.kernel;

import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.S2B;
import static jdk.incubator.vector.VectorOperators.ZERO_EXTEND_B2S;
import static jdk.incubator.vector.VectorOperators.ASHR;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * The inner loops with vectors as wide as the machine has, up to 512 bits. A species that the machine lacks would be emulated
 * with objects, a hundred times slower than plain Java: hence all species here derive from the preferred one.
 *
 * <p>The loops are written flat and repeat themselves on purpose: a helper that takes or returns vectors makes them objects
 * on the heap as soon as the compiler stops inlining it (measured: 8 times slower).
 */
final class VectorKernels implements Kernels {
    private static final int BITS = Math.min(512, IntVector.SPECIES_PREFERRED.vectorBitSize());

    private static final VectorSpecies<Byte> BYTES =
            BITS == 512 ? ByteVector.SPECIES_512 : BITS == 256 ? ByteVector.SPECIES_256 : ByteVector.SPECIES_128;
    private static final VectorSpecies<Short> SHORTS =
            BITS == 512 ? ShortVector.SPECIES_512 : BITS == 256 ? ShortVector.SPECIES_256 : ShortVector.SPECIES_128;
    /** As many bytes as SHORTS has lanes. */
    private static final VectorSpecies<Byte> HALF =
            BITS == 512 ? ByteVector.SPECIES_256 : BITS == 256 ? ByteVector.SPECIES_128 : ByteVector.SPECIES_64;

    private static final int STEP = SHORTS.length();

    static final Kernels INSTANCE = new VectorKernels();

    private VectorKernels() {}

    @Override
    public String name() {
        return "vector " + BITS;
    }

    @Override
    public int copyUntilFF(byte[] from, int at, int to, byte[] into, int intoAt) {
        int i = at;
        while (i < to) {
            ByteVector v = ByteVector.fromArray(BYTES, from, i);
            v.intoArray(into, intoAt);
            VectorMask<Byte> found = v.eq((byte) -1);
            if (found.anyTrue()) {
                return Math.min(to, i + found.firstTrue()) - at;
            }
            i += BYTES.length();
            intoAt += BYTES.length();
        }
        return to - at;
    }

    @Override
    public void idct(
            int[] coefficients,
            int[] quantisers,
            int[] work,
            byte[] plane0,
            int at0,
            int stride0,
            byte[] plane1,
            int at1,
            int stride1) {
        VectorIdct.columns(coefficients, quantisers, work);
        VectorIdct.rows(work, plane0, at0, stride0, plane1, at1, stride1);
    }

    @Override
    public void blendRows(byte[] plane, int near, int far, int count, short[] out, int outAt) {
        for (int i = 0; i < count; i += STEP) {
            ShortVector a = (ShortVector) ByteVector.fromArray(HALF, plane, near + i).convertShape(ZERO_EXTEND_B2S, SHORTS, 0);
            ShortVector b = (ShortVector) ByteVector.fromArray(HALF, plane, far + i).convertShape(ZERO_EXTEND_B2S, SHORTS, 0);
            a.mul((short) 3).add(b).intoArray(out, outAt + i);
        }
    }

    @Override
    public void widenRow(byte[] plane, int at, int count, short[] out, int outAt) {
        for (int i = 0; i < count; i += STEP) {
            ShortVector a = (ShortVector) ByteVector.fromArray(HALF, plane, at + i).convertShape(ZERO_EXTEND_B2S, SHORTS, 0);
            a.intoArray(out, outAt + i);
        }
    }

    @Override
    public void doubleRow(short[] in, int count, byte[] out, int evenBias, int oddBias, int shift) {
        for (int i = 0; i < count; i += STEP) {
            ShortVector middle = ShortVector.fromArray(SHORTS, in, i + 1).mul((short) 3);
            ShortVector even = middle.add(ShortVector.fromArray(SHORTS, in, i)).add((short) evenBias).lanewise(LSHR, shift);
            ShortVector odd = middle.add(ShortVector.fromArray(SHORTS, in, i + 2)).add((short) oddBias).lanewise(LSHR, shift);
            even.or(odd.lanewise(LSHL, 8)).reinterpretAsBytes().intoArray(out, 2 * i);
        }
    }

    @Override
    public void blendRow(byte[] plane, int near, int far, int count, int bias, byte[] out) {
        for (int i = 0; i < count; i += STEP) {
            ShortVector a = (ShortVector) ByteVector.fromArray(HALF, plane, near + i).convertShape(ZERO_EXTEND_B2S, SHORTS, 0);
            ShortVector b = (ShortVector) ByteVector.fromArray(HALF, plane, far + i).convertShape(ZERO_EXTEND_B2S, SHORTS, 0);
            ShortVector sum = a.mul((short) 3).add(b).add((short) bias).lanewise(LSHR, 2);
            ((ByteVector) sum.convertShape(S2B, HALF, 0)).intoArray(out, i);
        }
    }

    /**
     * The 16-bit constants of the definition, split so that all sums fit 16 bits: 91881 = 65536 + 102 * 256 + 233,
     * -46802 = -65536 + 73 * 256 + 46, -22554 = -88 * 256 - 26, 116130 = 2 * 65536 - 59 * 256 + 162.
     */
    @Override
    public void yccToRgb(
            byte[] y, int yAt, byte[] cb, int cbAt, byte[] cr, int crAt, int count, byte[] red, byte[] green, byte[] blue) {
        for (int i = 0; i < count; i += STEP) {
            ShortVector luma = (ShortVector) ByteVector.fromArray(HALF, y, yAt + i).convertShape(ZERO_EXTEND_B2S, SHORTS, 0);
            ShortVector u = ((ShortVector) ByteVector.fromArray(HALF, cb, cbAt + i).convertShape(ZERO_EXTEND_B2S, SHORTS, 0))
                    .sub((short) 128);
            ShortVector v = ((ShortVector) ByteVector.fromArray(HALF, cr, crAt + i).convertShape(ZERO_EXTEND_B2S, SHORTS, 0))
                    .sub((short) 128);
            ShortVector r = luma.add(v)
                    .add(v.mul((short) 102).add(v.mul((short) 233).lanewise(ASHR, 8)).add((short) 128).lanewise(ASHR, 8))
                    .max((short) 0)
                    .min((short) 255);
            ShortVector g = luma.sub(v)
                    .add(v.mul((short) 73)
                            .sub(u.mul((short) 88))
                            .add((short) 128)
                            .add(v.mul((short) 46).sub(u.mul((short) 26)).lanewise(ASHR, 8))
                            .lanewise(ASHR, 8))
                    .max((short) 0)
                    .min((short) 255);
            ShortVector b = luma.add(u)
                    .add(u)
                    .add(u.mul((short) -59).add(u.mul((short) 162).lanewise(ASHR, 8)).add((short) 128).lanewise(ASHR, 8))
                    .max((short) 0)
                    .min((short) 255);
            ((ByteVector) r.convertShape(S2B, HALF, 0)).intoArray(red, i);
            ((ByteVector) g.convertShape(S2B, HALF, 0)).intoArray(green, i);
            ((ByteVector) b.convertShape(S2B, HALF, 0)).intoArray(blue, i);
        }
    }

    @Override
    public void interleave(byte[] red, byte[] green, byte[] blue, int count, byte[] out) {
        for (int i = 0; i < count; i += 16) {
            ByteVector r = ByteVector.fromArray(Interleave.V16, red, i);
            ByteVector g = ByteVector.fromArray(Interleave.V16, green, i);
            ByteVector b = ByteVector.fromArray(Interleave.V16, blue, i);
            r.rearrange(Interleave.R0)
                    .blend(g.rearrange(Interleave.G0), Interleave.IS_G0)
                    .blend(b.rearrange(Interleave.B0), Interleave.IS_B0)
                    .intoArray(out, 3 * i);
            r.rearrange(Interleave.R1)
                    .blend(g.rearrange(Interleave.G1), Interleave.IS_G1)
                    .blend(b.rearrange(Interleave.B1), Interleave.IS_B1)
                    .intoArray(out, 3 * i + 16);
            r.rearrange(Interleave.R2)
                    .blend(g.rearrange(Interleave.G2), Interleave.IS_G2)
                    .blend(b.rearrange(Interleave.B2), Interleave.IS_B2)
                    .intoArray(out, 3 * i + 32);
        }
    }

    /** Byte j of output vector o is channel (16 o + j) % 3 of pixel (16 o + j) / 3; 128 bits do it on every machine. */
    private static final class Interleave {
        static final VectorSpecies<Byte> V16 = ByteVector.SPECIES_128;
        static final VectorShuffle<Byte> R0 = places(0, 0), R1 = places(1, 0), R2 = places(2, 0);
        static final VectorShuffle<Byte> G0 = places(0, 1), G1 = places(1, 1), G2 = places(2, 1);
        static final VectorShuffle<Byte> B0 = places(0, 2), B1 = places(1, 2), B2 = places(2, 2);
        static final VectorMask<Byte> IS_G0 = mask(0, 1), IS_G1 = mask(1, 1), IS_G2 = mask(2, 1);
        static final VectorMask<Byte> IS_B0 = mask(0, 2), IS_B1 = mask(1, 2), IS_B2 = mask(2, 2);

        private static VectorShuffle<Byte> places(int vector, int channel) {
            return VectorShuffle.fromOp(V16, j -> (16 * vector + j) % 3 == channel ? (16 * vector + j) / 3 : 0);
        }

        private static VectorMask<Byte> mask(int vector, int channel) {
            long bits = 0;
            for (int j = 0; j < 16; j++) {
                bits |= (16 * vector + j) % 3 == channel ? 1L << j : 0;
            }
            return VectorMask.fromLong(V16, bits);
        }
    }

    @Override
    public void resizeRow(
            ResizeTaps taps, byte[] red, byte[] green, byte[] blue, int[] packed, byte[] out, int outAt, int channelStride) {
        if (BITS == 512 && !taps.wide) {
            VectorResize.rowByPermutation(taps, red, green, blue, out, outAt, channelStride);
        } else if (BITS >= 256) {
            int in = taps.first[taps.outCount - 1] > taps.first[0] ? taps.outCount - 1 : 0;
            VectorResize.pack(red, green, blue, taps.first[in] + taps.count[in], packed);
            VectorResize.rowByGather(taps, packed, out, outAt, channelStride);
        } else {
            ScalarKernels.INSTANCE.resizeRow(taps, red, green, blue, packed, out, outAt, channelStride);
        }
    }

    @Override
    public void resizeColumns(byte[] in, int at, int stride, int[] weights, int weightsAt, int taps, int count, byte[] out) {
        if (BITS >= 256) {
            VectorResize.columns(in, at, stride, weights, weightsAt, taps, count, out);
        } else {
            ScalarKernels.INSTANCE.resizeColumns(in, at, stride, weights, weightsAt, taps, count, out);
        }
    }
}
