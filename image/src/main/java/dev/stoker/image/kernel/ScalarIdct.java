package dev.stoker.image.kernel;

/**
 * The accurate integer inverse DCT (Loeffler, Ligtenberg and Moschytz, 13 bits of fraction, 2 bits kept between the passes)
 * of one lane, rounded exactly as libjpeg's "islow" rounds.
 */
final class ScalarIdct {
    private static final int[] COLUMN_PLACES = new int[64];

    static {
        for (int column = 0; column < 8; column++) {
            for (int row = 0; row < 8; row++) {
                COLUMN_PLACES[column * 8 + row] = Zigzag.index(row, column) * Kernels.LANES;
            }
        }
    }

    private ScalarIdct() {}

    static void columns(int[] coefficients, int[] quantisers, int[] work, int lane) {
        for (int column = 0; column < 8; column++) {
            int base = column * 8;
            int i0 = COLUMN_PLACES[base] + lane, i1 = COLUMN_PLACES[base + 1] + lane;
            int i2 = COLUMN_PLACES[base + 2] + lane, i3 = COLUMN_PLACES[base + 3] + lane;
            int i4 = COLUMN_PLACES[base + 4] + lane, i5 = COLUMN_PLACES[base + 5] + lane;
            int i6 = COLUMN_PLACES[base + 6] + lane, i7 = COLUMN_PLACES[base + 7] + lane;
            int[] c = coefficients, q = quantisers;
            if ((c[i1] | c[i2] | c[i3] | c[i4] | c[i5] | c[i6] | c[i7]) == 0) {
                int flat = c[i0] * q[i0] << 2;
                for (int row = 0; row < 8; row++) {
                    work[row * 8 + column] = flat;
                }
                continue;
            }
            transform(
                    work,
                    column,
                    8,
                    1 << 10,
                    11,
                    c[i0] * q[i0],
                    c[i1] * q[i1],
                    c[i2] * q[i2],
                    c[i3] * q[i3],
                    c[i4] * q[i4],
                    c[i5] * q[i5],
                    c[i6] * q[i6],
                    c[i7] * q[i7]);
        }
    }

    static void rows(int[] work, byte[] plane, int at, int stride) {
        int rounding = (1 << 17) + (128 << 18);
        for (int row = 0; row < 8; row++) {
            int b = row * 8;
            transform(
                    work,
                    b,
                    1,
                    rounding,
                    18,
                    work[b],
                    work[b + 1],
                    work[b + 2],
                    work[b + 3],
                    work[b + 4],
                    work[b + 5],
                    work[b + 6],
                    work[b + 7]);
            for (int x = 0; x < 8; x++) {
                plane[at + row * stride + x] = (byte) Math.max(0, Math.min(255, work[b + x]));
            }
        }
    }

    private static void transform(
            int[] out,
            int at,
            int step,
            int rounding,
            int shift,
            int x0,
            int x1,
            int x2,
            int x3,
            int x4,
            int x5,
            int x6,
            int x7) {
        int z1 = (x2 + x6) * 4433;
        int e2 = z1 - x6 * 15137;
        int e3 = z1 + x2 * 6270;
        int e0 = (x0 + x4 << 13) + rounding;
        int e1 = (x0 - x4 << 13) + rounding;
        int even0 = e0 + e3, even3 = e0 - e3, even1 = e1 + e2, even2 = e1 - e2;

        int z5 = (x7 + x3 + x5 + x1) * 9633;
        int z3 = (x7 + x3) * -16069 + z5;
        int z4 = (x5 + x1) * -3196 + z5;
        int za = (x7 + x1) * -7373;
        int zb = (x5 + x3) * -20995;
        int odd0 = x7 * 2446 + za + z3;
        int odd1 = x5 * 16819 + zb + z4;
        int odd2 = x3 * 25172 + zb + z3;
        int odd3 = x1 * 12299 + za + z4;

        out[at] = even0 + odd3 >> shift;
        out[at + step] = even1 + odd2 >> shift;
        out[at + 2 * step] = even2 + odd1 >> shift;
        out[at + 3 * step] = even3 + odd0 >> shift;
        out[at + 4 * step] = even3 - odd0 >> shift;
        out[at + 5 * step] = even2 - odd1 >> shift;
        out[at + 6 * step] = even1 - odd2 >> shift;
        out[at + 7 * step] = even0 - odd3 >> shift;
    }
}
