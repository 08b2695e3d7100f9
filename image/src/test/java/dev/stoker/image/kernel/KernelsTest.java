package dev.stoker.image.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Vectors give the bytes of plain Java. Without the incubating module both are the same, and the test says little. */
class KernelsTest {
    private static final long SEED = 77;
    private final Kernels best = Kernels.best();
    private final Kernels scalar = Kernels.scalar();

    private static byte[] bytes(Random random, int n) {
        byte[] b = new byte[n];
        random.nextBytes(b);
        return b;
    }

    private static void same(byte[] a, byte[] b, int n, String what) {
        for (int i = 0; i < n; i++) {
            assertThat(a[i]).as("%s, byte %d of %d, seed %d", what, i, n, SEED).isEqualTo(b[i]);
        }
    }

    @Test
    void idctOfAnyCoefficients() {
        Random random = new Random(SEED);
        for (int round = 0; round < 200; round++) {
            int[] a = new int[1024], q = new int[1024];
            for (int i = 0; i < 1024; i++) {
                a[i] = random.nextInt(8) == 0 ? random.nextInt(2047) - 1023 : 0;
                q[i] = 1 + random.nextInt(round % 2 == 0 ? 30 : 255);
            }
            int[] b = a.clone();
            byte[] outA = new byte[1024 + 128], outB = outA.clone();
            best.idct(a, q, new int[1024], outA, 0, 64, outA, 512, 64);
            scalar.idct(b, q, new int[1024], outB, 0, 64, outB, 512, 64);
            same(outA, outB, 1024, "idct");
            assertThat(a).containsOnly(0);
            assertThat(b).containsOnly(0);
        }
    }

    @Test
    void allColours() {
        byte[] y = new byte[256 + 128], cb = y.clone(), cr = y.clone();
        byte[][] a = new byte[3][256 + 128], b = new byte[3][256 + 128];
        for (int u = 0; u < 256; u++) {
            for (int v = 0; v < 256; v++) {
                for (int i = 0; i < 256; i++) {
                    y[i] = (byte) i;
                    cb[i] = (byte) u;
                    cr[i] = (byte) v;
                }
                best.yccToRgb(y, 0, cb, 0, cr, 0, 256, a[0], a[1], a[2]);
                scalar.yccToRgb(y, 0, cb, 0, cr, 0, 256, b[0], b[1], b[2]);
                for (int c = 0; c < 3; c++) {
                    assertThat(java.util.Arrays.equals(a[c], 0, 256, b[c], 0, 256))
                            .as("cb %d cr %d channel %d", u, v, c)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void rowsOfAnyLength() {
        Random random = new Random(SEED);
        for (int n = 1; n < 200; n++) {
            byte[] plane = bytes(random, 1000);
            short[] sa = new short[500], sb = new short[500];
            best.blendRows(plane, 3, 300, n, sa, 1);
            scalar.blendRows(plane, 3, 300, n, sb, 1);
            assertThat(java.util.Arrays.copyOf(sa, n + 1)).isEqualTo(java.util.Arrays.copyOf(sb, n + 1));
            best.widenRow(plane, 5, n, sa, 0);
            scalar.widenRow(plane, 5, n, sb, 0);
            assertThat(java.util.Arrays.copyOf(sa, n)).isEqualTo(java.util.Arrays.copyOf(sb, n));
            byte[] a = new byte[1200], b = new byte[1200];
            scalar.blendRows(plane, 3, 300, n + 4, sa, 0);
            best.doubleRow(sa, n, a, 8, 7, 4);
            scalar.doubleRow(sa, n, b, 8, 7, 4);
            same(a, b, 2 * n, "doubleRow");
            byte[][] ca = new byte[3][1200], cb = new byte[3][1200];
            for (int i = 0; i < 500; i++) {
                sb[i] = (short) (4 * random.nextInt(256));
            }
            best.doubledYccToRgb(plane, 7, sa, sb, 1, n, 8, 7, 4, ca[0], ca[1], ca[2], 1);
            scalar.doubledYccToRgb(plane, 7, sa, sb, 1, n, 8, 7, 4, cb[0], cb[1], cb[2], 1);
            for (int c = 0; c < 3; c++) {
                same(ca[c], cb[c], 2 * n + 1, "doubledYccToRgb");
            }
            best.blendRow(plane, 9, 200, n, 2, a);
            scalar.blendRow(plane, 9, 200, n, 2, b);
            same(a, b, n, "blendRow");
            byte[] g = bytes(random, 400), r = bytes(random, 400), u = bytes(random, 400);
            best.interleave(r, g, u, n, a);
            scalar.interleave(r, g, u, n, b);
            same(a, b, 3 * n, "interleave");
            plane[n] = -1;
            byte[] from = plane.clone();
            assertThat(best.copyUntilFF(from, 0, n + 50, a, 0)).isEqualTo(scalar.copyUntilFF(from, 0, n + 50, b, 0));
        }
    }

    @RepeatedTest(3)
    void resizes() {
        Random random = new Random(SEED);
        for (int round = 0; round < 300; round++) {
            int in = 1 + random.nextInt(round % 3 == 0 ? 4000 : 300), whole = 1 + random.nextInt(400);
            int from = random.nextInt(whole), n = 1 + random.nextInt(whole - from);
            ResizeTaps taps = new ResizeTaps();
            taps.set(ResizeTaps.Filter.values()[round & 1], in, whole, from, n, random.nextBoolean());
            taps.rebase();
            byte[][] rows = {bytes(random, in + 128), bytes(random, in + 128), bytes(random, in + 128)};
            int[] packed = new int[in + taps.maxTaps() + Kernels.SLACK];
            byte[] a = new byte[2000], b = new byte[2000];
            best.resizeRow(taps, rows[0], rows[1], rows[2], packed, a, 0, 500);
            scalar.resizeRow(taps, rows[0], rows[1], rows[2], packed, b, 0, 500);
            for (int c = 0; c < 3; c++) {
                byte[] x = java.util.Arrays.copyOfRange(a, 500 * c, 500 * c + n),
                        y = java.util.Arrays.copyOfRange(b, 500 * c, 500 * c + n);
                assertThat(x)
                        .as("%d to %d, from %d, %d; seed %d", in, whole, from, n, SEED)
                        .isEqualTo(y);
            }
        }
    }
}
