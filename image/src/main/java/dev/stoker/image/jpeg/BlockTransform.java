package dev.stoker.image.jpeg;

import dev.stoker.image.kernel.Kernels;
import dev.stoker.image.kernel.Zigzag;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Coefficients of 16 blocks to samples, at full size or smaller. The smaller transforms are libjpeg's: they use the low
 * frequencies alone and are rounded as there.
 */
final class BlockTransform {
    private final Kernels kernels;
    private final int[] work = new int[1024];
    private final byte[] nowhere = new byte[2 * 8 * 64 + Kernels.SLACK];

    BlockTransform(Kernels kernels) {
        this.kernels = kernels;
    }

    /** Repeats a component's quantisers for lanes [from, from + 8). */
    static void spread(int[] quantisers, int[] lanes, int from) {
        for (int k = 0; k < 64; k++) {
            Arrays.fill(lanes, k * Kernels.LANES + from, k * Kernels.LANES + from + 8, quantisers[k]);
        }
    }

    /** Blocks 0 to 7 go to component a, blocks 8 to 15 to component b, or nowhere if b is null. */
    void apply(int[] coefficients, int[] quantisers, Component a, int atA, @Nullable Component b, int atB) {
        if (a.blockSize == 8 && (b == null || b.blockSize == 8)) {
            byte[] plane = b == null ? nowhere : b.plane;
            int stride = b == null ? 64 : b.stride;
            kernels.idct(coefficients, quantisers, work, a.plane, atA, a.stride, plane, b == null ? 0 : atB, stride);
            return;
        }
        half(coefficients, quantisers, 0, a, atA);
        if (b != null) {
            half(coefficients, quantisers, 8, b, atB);
        }
        Arrays.fill(coefficients, 0, 64 * Kernels.LANES, 0);
    }

    private void half(int[] coefficients, int[] quantisers, int from, Component c, int at) {
        for (int lane = 0; lane < 8; lane++) {
            int place = at + lane * c.blockSize;
            switch (c.blockSize) {
                case 8 -> full(coefficients, quantisers, from + lane, c, place);
                case 4 -> four(coefficients, quantisers, from + lane, c, place);
                case 2 -> two(coefficients, quantisers, from + lane, c, place);
                default -> c.plane[place] = sample(coefficients[from + lane] * quantisers[from + lane] + 4 >> 3);
            }
        }
    }

    private final int[] one = new int[64 * Kernels.LANES];
    private final int[] oneQuantisers = new int[64 * Kernels.LANES];

    /** A single block of full size beside a smaller one: rare, so it borrows lane 0 of the kernel. */
    private void full(int[] coefficients, int[] quantisers, int lane, Component c, int at) {
        for (int k = 0; k < 64; k++) {
            one[k * Kernels.LANES] = coefficients[k * Kernels.LANES + lane];
            oneQuantisers[k * Kernels.LANES] = quantisers[k * Kernels.LANES + lane];
        }
        kernels.idct(one, oneQuantisers, work, nowhere, 0, 64, nowhere, 8 * 64, 64);
        for (int row = 0; row < 8; row++) {
            System.arraycopy(nowhere, row * 64, c.plane, at + row * c.stride, 8);
        }
    }

    private static int value(int[] coefficients, int[] quantisers, int lane, int row, int column) {
        int i = Zigzag.index(row, column) * Kernels.LANES + lane;
        return coefficients[i] * quantisers[i];
    }

    private void four(int[] c, int[] q, int lane, Component component, int at) {
        for (int x = 0; x < 8; x++) {
            if (x == 4) {
                continue;
            }
            int even = value(c, q, lane, 0, x) << 14;
            int v2 = value(c, q, lane, 2, x), v6 = value(c, q, lane, 6, x);
            int v1 = value(c, q, lane, 1, x), v3 = value(c, q, lane, 3, x);
            int v5 = value(c, q, lane, 5, x), v7 = value(c, q, lane, 7, x);
            four(work, x, 8, even, v1, v2, v3, v5, v6, v7, 12);
        }
        for (int y = 0; y < 4; y++) {
            int b = y * 8;
            four(
                    work,
                    b,
                    1,
                    work[b] << 14,
                    work[b + 1],
                    work[b + 2],
                    work[b + 3],
                    work[b + 5],
                    work[b + 6],
                    work[b + 7],
                    19);
            for (int x = 0; x < 4; x++) {
                component.plane[at + y * component.stride + x] = sample(work[b + x]);
            }
        }
    }

    private static void four(
            int[] out, int at, int step, int even, int v1, int v2, int v3, int v5, int v6, int v7, int shift) {
        int half = 1 << shift - 1;
        int e = v2 * 15137 - v6 * 6270;
        int e0 = even + e, e1 = even - e;
        int o0 = v7 * -1730 + v5 * 11893 + v3 * -17799 + v1 * 8697;
        int o2 = v7 * -4176 + v5 * -4926 + v3 * 7373 + v1 * 20995;
        out[at] = e0 + o2 + half >> shift;
        out[at + 3 * step] = e0 - o2 + half >> shift;
        out[at + step] = e1 + o0 + half >> shift;
        out[at + 2 * step] = e1 - o0 + half >> shift;
    }

    private void two(int[] c, int[] q, int lane, Component component, int at) {
        for (int x = 0; x < 8; x++) {
            if (x == 2 || x == 4 || x == 6) {
                continue;
            }
            int even = value(c, q, lane, 0, x) << 15;
            int odd = value(c, q, lane, 7, x) * -5906
                    + value(c, q, lane, 5, x) * 6967
                    + value(c, q, lane, 3, x) * -10426
                    + value(c, q, lane, 1, x) * 29692;
            work[x] = even + odd + (1 << 12) >> 13;
            work[8 + x] = even - odd + (1 << 12) >> 13;
        }
        for (int y = 0; y < 2; y++) {
            int b = y * 8;
            int even = work[b] << 15;
            int odd = work[b + 7] * -5906 + work[b + 5] * 6967 + work[b + 3] * -10426 + work[b + 1] * 29692;
            component.plane[at + y * component.stride] = sample(even + odd + (1 << 19) >> 20);
            component.plane[at + y * component.stride + 1] = sample(even - odd + (1 << 19) >> 20);
        }
    }

    private static byte sample(int value) {
        return (byte) Math.max(0, Math.min(255, value + 128));
    }
}
