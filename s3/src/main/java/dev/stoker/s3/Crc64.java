package dev.stoker.s3;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** CRC-64/NVME, which S3 keeps of objects by default. Eight bytes at a time, by tables. */
final class Crc64 {
    private static final long POLYNOMIAL = 0x9A6C9329AC4BC9B5L; // reflected
    private static final int SLICES = 8;
    private static final long[][] TABLES = tables();

    private long state = -1;

    private static long[][] tables() {
        var tables = new long[SLICES][256];
        for (int i = 0; i < 256; i++) {
            long crc = i;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 1) != 0 ? crc >>> 1 ^ POLYNOMIAL : crc >>> 1;
            }
            tables[0][i] = crc;
        }
        for (int i = 0; i < 256; i++) {
            for (int slice = 1; slice < SLICES; slice++) {
                long before = tables[slice - 1][i];
                tables[slice][i] = before >>> 8 ^ tables[0][(int) before & 0xff];
            }
        }
        return tables;
    }

    void update(ByteBuffer given) {
        ByteBuffer bytes = given.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        long crc = state;
        while (bytes.remaining() >= SLICES) {
            long x = crc ^ bytes.getLong();
            crc = TABLES[7][(int) x & 0xff]
                    ^ TABLES[6][(int) (x >>> 8) & 0xff]
                    ^ TABLES[5][(int) (x >>> 16) & 0xff]
                    ^ TABLES[4][(int) (x >>> 24) & 0xff]
                    ^ TABLES[3][(int) (x >>> 32) & 0xff]
                    ^ TABLES[2][(int) (x >>> 40) & 0xff]
                    ^ TABLES[1][(int) (x >>> 48) & 0xff]
                    ^ TABLES[0][(int) (x >>> 56) & 0xff];
        }
        while (bytes.hasRemaining()) {
            crc = crc >>> 8 ^ TABLES[0][(int) (crc ^ bytes.get()) & 0xff];
        }
        state = crc;
    }

    long value() {
        return ~state;
    }

    /** The CRC of two runs of bytes, one behind the other, from theirs. */
    static long combine(long first, long second, long secondLength) {
        return multiply(power(secondLength), first) ^ second;
    }

    /** x to the power of 8 n, modulo the polynomial. */
    private static long power(long n) {
        long square = 1L << 63 >>> 8; // x^8, reflected: the highest bit is x^0
        long result = 1L << 63;
        for (long left = n; left != 0; left >>>= 1) {
            if ((left & 1) != 0) {
                result = multiply(square, result);
            }
            square = multiply(square, square);
        }
        return result;
    }

    private static long multiply(long a, long b) {
        long product = 0;
        long shifted = b;
        for (long bit = 1L << 63; bit != 0; bit >>>= 1) {
            if ((a & bit) != 0) {
                product ^= shifted;
            }
            shifted = (shifted & 1) != 0 ? shifted >>> 1 ^ POLYNOMIAL : shifted >>> 1;
        }
        return product;
    }
}
