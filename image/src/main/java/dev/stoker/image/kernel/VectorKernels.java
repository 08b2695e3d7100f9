package dev.stoker.image.kernel;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.S2B;
import static jdk.incubator.vector.VectorOperators.ZERO_EXTEND_B2S;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
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

    /** False on machines without vectors of 128 bits. */
    static boolean isSupported() {
        return BITS >= 128;
    }

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
            ShortVector a =
                    (ShortVector) ByteVector.fromArray(HALF, plane, near + i).convertShape(ZERO_EXTEND_B2S, SHORTS, 0);
            ShortVector b =
                    (ShortVector) ByteVector.fromArray(HALF, plane, far + i).convertShape(ZERO_EXTEND_B2S, SHORTS, 0);
            a.mul((short) 3).add(b).intoArray(out, outAt + i);
        }
    }

    @Override
    public void widenRow(byte[] plane, int at, int count, short[] out, int outAt) {
        for (int i = 0; i < count; i += STEP) {
            ShortVector a =
                    (ShortVector) ByteVector.fromArray(HALF, plane, at + i).convertShape(ZERO_EXTEND_B2S, SHORTS, 0);
            a.intoArray(out, outAt + i);
        }
    }

    @Override
    public void doubleRow(short[] in, int count, byte[] out, int evenBias, int oddBias, int shift) {
        for (int i = 0; i < count; i += STEP) {
            ShortVector middle = ShortVector.fromArray(SHORTS, in, i + 1).mul((short) 3);
            ShortVector even = middle.add(ShortVector.fromArray(SHORTS, in, i))
                    .add((short) evenBias)
                    .lanewise(LSHR, shift);
            ShortVector odd = middle.add(ShortVector.fromArray(SHORTS, in, i + 2))
                    .add((short) oddBias)
                    .lanewise(LSHR, shift);
            even.or(odd.lanewise(LSHL, 8)).reinterpretAsBytes().intoArray(out, 2 * i);
        }
    }

    @Override
    public void blendRow(byte[] plane, int near, int far, int count, int bias, byte[] out) {
        for (int i = 0; i < count; i += STEP) {
            ShortVector a =
                    (ShortVector) ByteVector.fromArray(HALF, plane, near + i).convertShape(ZERO_EXTEND_B2S, SHORTS, 0);
            ShortVector b =
                    (ShortVector) ByteVector.fromArray(HALF, plane, far + i).convertShape(ZERO_EXTEND_B2S, SHORTS, 0);
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
            byte[] y,
            int yAt,
            byte[] cb,
            int cbAt,
            byte[] cr,
            int crAt,
            int count,
            byte[] red,
            byte[] green,
            byte[] blue) {
        for (int i = 0; i < count; i += STEP) {
            ShortVector luma =
                    (ShortVector) ByteVector.fromArray(HALF, y, yAt + i).convertShape(ZERO_EXTEND_B2S, SHORTS, 0);
            ShortVector u = ((ShortVector)
                            ByteVector.fromArray(HALF, cb, cbAt + i).convertShape(ZERO_EXTEND_B2S, SHORTS, 0))
                    .sub((short) 128);
            ShortVector v = ((ShortVector)
                            ByteVector.fromArray(HALF, cr, crAt + i).convertShape(ZERO_EXTEND_B2S, SHORTS, 0))
                    .sub((short) 128);
            ShortVector r = luma.add(v)
                    .add(v.mul((short) 102)
                            .add(v.mul((short) 233).lanewise(ASHR, 8))
                            .add((short) 128)
                            .lanewise(ASHR, 8))
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
                    .add(u.mul((short) -59)
                            .add(u.mul((short) 162).lanewise(ASHR, 8))
                            .add((short) 128)
                            .lanewise(ASHR, 8))
                    .max((short) 0)
                    .min((short) 255);
            ((ByteVector) r.convertShape(S2B, HALF, 0)).intoArray(red, i);
            ((ByteVector) g.convertShape(S2B, HALF, 0)).intoArray(green, i);
            ((ByteVector) b.convertShape(S2B, HALF, 0)).intoArray(blue, i);
        }
    }

    /** Even and odd pixels are computed apart, as the two halves of 16-bit lanes: nothing is widened, packed or permuted. */
    @Override
    public void doubledYccToRgb(
            byte[] y,
            int yAt,
            short[] cb,
            short[] cr,
            int sumsAt,
            int pairs,
            int evenBias,
            int oddBias,
            int shift,
            byte[] red,
            byte[] green,
            byte[] blue,
            int outAt) {
        for (int i = 0; i < pairs; i += STEP) {
            ShortVector luma = ByteVector.fromArray(BYTES, y, yAt + 2 * i).reinterpretAsShorts();
            ShortVector b3 = ShortVector.fromArray(SHORTS, cb, sumsAt + i + 1).mul((short) 3);
            ShortVector r3 = ShortVector.fromArray(SHORTS, cr, sumsAt + i + 1).mul((short) 3);

            ShortVector l = luma.and((short) 255);
            ShortVector u = b3.add(ShortVector.fromArray(SHORTS, cb, sumsAt + i))
                    .add((short) evenBias)
                    .lanewise(LSHR, shift)
                    .sub((short) 128);
            ShortVector v = r3.add(ShortVector.fromArray(SHORTS, cr, sumsAt + i))
                    .add((short) evenBias)
                    .lanewise(LSHR, shift)
                    .sub((short) 128);
            ShortVector evenRed = l.add(v)
                    .add(v.mul((short) 102)
                            .add(v.mul((short) 233).lanewise(ASHR, 8))
                            .add((short) 128)
                            .lanewise(ASHR, 8))
                    .max((short) 0)
                    .min((short) 255);
            ShortVector evenGreen = l.sub(v)
                    .add(v.mul((short) 73)
                            .sub(u.mul((short) 88))
                            .add((short) 128)
                            .add(v.mul((short) 46).sub(u.mul((short) 26)).lanewise(ASHR, 8))
                            .lanewise(ASHR, 8))
                    .max((short) 0)
                    .min((short) 255);
            ShortVector evenBlue = l.add(u)
                    .add(u)
                    .add(u.mul((short) -59)
                            .add(u.mul((short) 162).lanewise(ASHR, 8))
                            .add((short) 128)
                            .lanewise(ASHR, 8))
                    .max((short) 0)
                    .min((short) 255);

            l = luma.lanewise(LSHR, 8);
            u = b3.add(ShortVector.fromArray(SHORTS, cb, sumsAt + i + 2))
                    .add((short) oddBias)
                    .lanewise(LSHR, shift)
                    .sub((short) 128);
            v = r3.add(ShortVector.fromArray(SHORTS, cr, sumsAt + i + 2))
                    .add((short) oddBias)
                    .lanewise(LSHR, shift)
                    .sub((short) 128);
            ShortVector oddRed = l.add(v)
                    .add(v.mul((short) 102)
                            .add(v.mul((short) 233).lanewise(ASHR, 8))
                            .add((short) 128)
                            .lanewise(ASHR, 8))
                    .max((short) 0)
                    .min((short) 255);
            ShortVector oddGreen = l.sub(v)
                    .add(v.mul((short) 73)
                            .sub(u.mul((short) 88))
                            .add((short) 128)
                            .add(v.mul((short) 46).sub(u.mul((short) 26)).lanewise(ASHR, 8))
                            .lanewise(ASHR, 8))
                    .max((short) 0)
                    .min((short) 255);
            ShortVector oddBlue = l.add(u)
                    .add(u)
                    .add(u.mul((short) -59)
                            .add(u.mul((short) 162).lanewise(ASHR, 8))
                            .add((short) 128)
                            .lanewise(ASHR, 8))
                    .max((short) 0)
                    .min((short) 255);

            evenRed.or(oddRed.lanewise(LSHL, 8)).reinterpretAsBytes().intoArray(red, outAt + 2 * i);
            evenGreen.or(oddGreen.lanewise(LSHL, 8)).reinterpretAsBytes().intoArray(green, outAt + 2 * i);
            evenBlue.or(oddBlue.lanewise(LSHL, 8)).reinterpretAsBytes().intoArray(blue, outAt + 2 * i);
        }
    }

    @Override
    public void interleave(byte[] red, byte[] green, byte[] blue, int count, byte[] out) {
        if (BITS == 512) {
            VectorInterleave.by64(red, green, blue, count, out);
        } else if (BITS == 256) {
            VectorInterleave.by8(red, green, blue, count, out);
        } else {
            VectorInterleave.by16(red, green, blue, count, out);
        }
    }

    @Override
    public void resizeRow(
            ResizeTaps taps,
            byte[] red,
            byte[] green,
            byte[] blue,
            int[] packed,
            byte[] out,
            int outAt,
            int channelStride) {
        if (BITS == 512 && !taps.wide) {
            VectorResize.rowByPermutation(taps, red, green, blue, out, outAt, channelStride);
        } else if (BITS >= 256) {
            int in = taps.first[taps.outCount - 1] > taps.first[0] ? taps.outCount - 1 : 0;
            VectorResize.pack(red, green, blue, taps.first[in] + taps.count[in], packed);
            VectorResize.rowByFetching(taps, packed, out, outAt, channelStride);
        } else {
            ScalarKernels.INSTANCE.resizeRow(taps, red, green, blue, packed, out, outAt, channelStride);
        }
    }

    @Override
    public void resizeColumns(
            byte[] in, int at, int stride, int[] weights, int weightsAt, int taps, int count, byte[] out) {
        if (BITS >= 256) {
            VectorResize.columns(in, at, stride, weights, weightsAt, taps, count, out);
        } else {
            ScalarKernels.INSTANCE.resizeColumns(in, at, stride, weights, weightsAt, taps, count, out);
        }
    }
}
