package dev.stoker.formats.zarr.write;

/**
 * The CRC-32 of bytes that several writers checksummed piece by piece. A CRC is the remainder of a polynomial over
 * GF(2): appending n bytes multiplies it by x^(8n), so pieces are put together without their bytes.
 */
final class CombinedCrc32 {
    /** The polynomial with its bits reversed: the lowest power is the highest bit. */
    private static final int POLYNOMIAL = 0xedb88320;

    private static final int ONE = 0x80000000;
    /** x^(2^i). */
    private static final int[] POWERS = powers();

    private CombinedCrc32() {}

    private static int[] powers() {
        var powers = new int[64 + 3];
        powers[0] = ONE >>> 1;
        for (int i = 1; i < powers.length; i++) {
            powers[i] = times(powers[i - 1], powers[i - 1]);
        }
        return powers;
    }

    private static int times(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int bit = ONE; bit != 0; bit >>>= 1) {
            if ((a & bit) != 0) {
                product ^= shifted;
            }
            shifted = (shifted & 1) == 0 ? shifted >>> 1 : (shifted >>> 1) ^ POLYNOMIAL;
        }
        return product;
    }

    /** The CRC-32 of some bytes and more behind them. */
    static int join(int first, int second, long secondBytes) {
        int shift = ONE;
        for (int i = 0; secondBytes >>> i != 0; i++) {
            if ((secondBytes >>> i & 1) != 0) {
                shift = times(shift, POWERS[i + 3]);
            }
        }
        return times(first, shift) ^ second;
    }
}
