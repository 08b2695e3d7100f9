package dev.stoker.image.kernel;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.LSHL;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/**
 * The inverse DCT of {@link ScalarIdct} with one block per lane: no transposition is needed between the passes, because a
 * pass only ever combines values of the same lane. Flat on purpose, see {@link VectorKernels}.
 */
final class VectorIdct {
    private static final VectorSpecies<Integer> S = IntVector.SPECIES_PREFERRED.vectorBitSize() >= 512
            ? IntVector.SPECIES_512
            : IntVector.SPECIES_PREFERRED.vectorBitSize() >= 256 ? IntVector.SPECIES_256 : IntVector.SPECIES_128;
    private static final int WIDTH = S.length();
    private static final int[] PLACES = new int[64];

    static {
        for (int column = 0; column < 8; column++) {
            for (int row = 0; row < 8; row++) {
                PLACES[column * 8 + row] = Zigzag.index(row, column) * Kernels.LANES;
            }
        }
    }

    private static final VectorShuffle<Integer> LOW = VectorShuffle.fromOp(S, i -> i >> 1);
    private static final VectorShuffle<Integer> HIGH = VectorShuffle.fromOp(S, i -> (WIDTH >> 1) + (i >> 1));
    private static final VectorMask<Integer> ODD = VectorMask.fromLong(S, 0xAAAA & (1L << WIDTH) - 1);

    private VectorIdct() {}

    static void columns(int[] c, int[] q, int[] work) {
        final int[] places = PLACES;
        final IntVector zero = IntVector.zero(S);
        for (int column = 0; column < 8; column++) {
            int b = column * 8;
            for (int lane = 0; lane < Kernels.LANES; lane += WIDTH) {
                int i0 = places[b] + lane,
                        i1 = places[b + 1] + lane,
                        i2 = places[b + 2] + lane,
                        i3 = places[b + 3] + lane;
                int i4 = places[b + 4] + lane,
                        i5 = places[b + 5] + lane,
                        i6 = places[b + 6] + lane,
                        i7 = places[b + 7] + lane;
                IntVector z2 = IntVector.fromArray(S, c, i2).mul(IntVector.fromArray(S, q, i2));
                IntVector z3 = IntVector.fromArray(S, c, i6).mul(IntVector.fromArray(S, q, i6));
                IntVector z1 = z2.add(z3).mul(4433);
                IntVector t2 = z1.sub(z3.mul(15137)), t3 = z1.add(z2.mul(6270));
                z2 = IntVector.fromArray(S, c, i0).mul(IntVector.fromArray(S, q, i0));
                z3 = IntVector.fromArray(S, c, i4).mul(IntVector.fromArray(S, q, i4));
                IntVector t0 = z2.add(z3).lanewise(LSHL, 13).add(1 << 10),
                        t1 = z2.sub(z3).lanewise(LSHL, 13).add(1 << 10);
                IntVector t10 = t0.add(t3), t13 = t0.sub(t3), t11 = t1.add(t2), t12 = t1.sub(t2);
                t0 = IntVector.fromArray(S, c, i7).mul(IntVector.fromArray(S, q, i7));
                t1 = IntVector.fromArray(S, c, i5).mul(IntVector.fromArray(S, q, i5));
                t2 = IntVector.fromArray(S, c, i3).mul(IntVector.fromArray(S, q, i3));
                t3 = IntVector.fromArray(S, c, i1).mul(IntVector.fromArray(S, q, i1));
                zero.intoArray(c, i0);
                zero.intoArray(c, i1);
                zero.intoArray(c, i2);
                zero.intoArray(c, i3);
                zero.intoArray(c, i4);
                zero.intoArray(c, i5);
                zero.intoArray(c, i6);
                zero.intoArray(c, i7);
                z1 = t0.add(t3).mul(-7373);
                z2 = t1.add(t2).mul(-20995);
                z3 = t0.add(t2);
                IntVector z4 = t1.add(t3), z5 = z3.add(z4).mul(9633);
                z3 = z3.mul(-16069).add(z5);
                z4 = z4.mul(-3196).add(z5);
                t0 = t0.mul(2446).add(z1).add(z3);
                t1 = t1.mul(16819).add(z2).add(z4);
                t2 = t2.mul(25172).add(z2).add(z3);
                t3 = t3.mul(12299).add(z1).add(z4);
                int o = column * 16 + lane;
                t10.add(t3).lanewise(ASHR, 11).intoArray(work, o);
                t11.add(t2).lanewise(ASHR, 11).intoArray(work, o + 128);
                t12.add(t1).lanewise(ASHR, 11).intoArray(work, o + 256);
                t13.add(t0).lanewise(ASHR, 11).intoArray(work, o + 384);
                t13.sub(t0).lanewise(ASHR, 11).intoArray(work, o + 512);
                t12.sub(t1).lanewise(ASHR, 11).intoArray(work, o + 640);
                t11.sub(t2).lanewise(ASHR, 11).intoArray(work, o + 768);
                t10.sub(t3).lanewise(ASHR, 11).intoArray(work, o + 896);
            }
        }
    }

    static void rows(int[] work, byte[] plane0, int at0, int stride0, byte[] plane1, int at1, int stride1) {
        final int rounding = (1 << 17) + (128 << 18);
        for (int row = 0; row < 8; row++) {
            for (int lane = 0; lane < Kernels.LANES; lane += WIDTH) {
                int b = row * 128 + lane;
                IntVector z2 = IntVector.fromArray(S, work, b + 32), z3 = IntVector.fromArray(S, work, b + 96);
                IntVector z1 = z2.add(z3).mul(4433);
                IntVector t2 = z1.sub(z3.mul(15137)), t3 = z1.add(z2.mul(6270));
                z2 = IntVector.fromArray(S, work, b);
                z3 = IntVector.fromArray(S, work, b + 64);
                IntVector t0 = z2.add(z3).lanewise(LSHL, 13).add(rounding),
                        t1 = z2.sub(z3).lanewise(LSHL, 13).add(rounding);
                IntVector t10 = t0.add(t3), t13 = t0.sub(t3), t11 = t1.add(t2), t12 = t1.sub(t2);
                t0 = IntVector.fromArray(S, work, b + 112);
                t1 = IntVector.fromArray(S, work, b + 80);
                t2 = IntVector.fromArray(S, work, b + 48);
                t3 = IntVector.fromArray(S, work, b + 16);
                z1 = t0.add(t3).mul(-7373);
                z2 = t1.add(t2).mul(-20995);
                z3 = t0.add(t2);
                IntVector z4 = t1.add(t3), z5 = z3.add(z4).mul(9633);
                z3 = z3.mul(-16069).add(z5);
                z4 = z4.mul(-3196).add(z5);
                t0 = t0.mul(2446).add(z1).add(z3);
                t1 = t1.mul(16819).add(z2).add(z4);
                t2 = t2.mul(25172).add(z2).add(z3);
                t3 = t3.mul(12299).add(z1).add(z4);
                // Four pixels of a block in one integer: 0 to 3 in left, 4 to 7 in right.
                IntVector left = t10.add(t3).lanewise(ASHR, 18).max(0).min(255);
                left = left.or(t11.add(t2).lanewise(ASHR, 18).max(0).min(255).lanewise(LSHL, 8));
                left = left.or(t12.add(t1).lanewise(ASHR, 18).max(0).min(255).lanewise(LSHL, 16));
                left = left.or(t13.add(t0).lanewise(ASHR, 18).max(0).min(255).lanewise(LSHL, 24));
                IntVector right = t13.sub(t0).lanewise(ASHR, 18).max(0).min(255);
                right = right.or(t12.sub(t1).lanewise(ASHR, 18).max(0).min(255).lanewise(LSHL, 8));
                right = right.or(t11.sub(t2).lanewise(ASHR, 18).max(0).min(255).lanewise(LSHL, 16));
                right = right.or(t10.sub(t3).lanewise(ASHR, 18).max(0).min(255).lanewise(LSHL, 24));
                if (WIDTH == 16) {
                    left.rearrange(LOW)
                            .blend(right.rearrange(LOW), ODD)
                            .reinterpretAsBytes()
                            .intoArray(plane0, at0 + row * stride0);
                    left.rearrange(HIGH)
                            .blend(right.rearrange(HIGH), ODD)
                            .reinterpretAsBytes()
                            .intoArray(plane1, at1 + row * stride1);
                } else {
                    byte[] plane = lane < 8 ? plane0 : plane1;
                    int at = lane < 8 ? at0 + row * stride0 + lane * 8 : at1 + row * stride1 + (lane - 8) * 8;
                    left.rearrange(LOW)
                            .blend(right.rearrange(LOW), ODD)
                            .reinterpretAsBytes()
                            .intoArray(plane, at);
                    left.rearrange(HIGH)
                            .blend(right.rearrange(HIGH), ODD)
                            .reinterpretAsBytes()
                            .intoArray(plane, at + 4 * WIDTH);
                }
            }
        }
    }
}
