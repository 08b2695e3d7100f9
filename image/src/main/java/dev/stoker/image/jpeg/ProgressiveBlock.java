package dev.stoker.image.jpeg;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Decodes the Huffman codes of one block in one scan of a progressive picture. Coefficient k of the block is at
 * {@code at + 16 * k}. As in {@link BlockDecoder}, a position in bits goes in and comes out in the low half,
 * {@link BlockDecoder#DAMAGED} if a code does not exist; the high half is the DC value or the number of blocks that follow
 * with nothing new.
 */
final class ProgressiveBlock {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long DAMAGED = BlockDecoder.DAMAGED & 0xffffffffL;

    private ProgressiveBlock() {}

    private static long window(byte[] data, int position) {
        return (long) LONGS.get(data, position >>> 3) << (position & 7);
    }

    /** The value of {@code size} bits at the top: the upper half of the range is positive. */
    private static int extend(long bits, int size) {
        int raw = (int) (bits >>> 1 >>> 63 - size);
        return bits < 0 ? raw : raw - (1 << size) + 1;
    }

    static long dcFirst(byte[] data, HuffmanTable table, short[] out, int at, int low, int position, int dc) {
        long bits = window(data, position);
        int entry = table.symbol(bits);
        if (entry == 0) {
            return DAMAGED;
        }
        int size = entry & 15;
        if (size != 0) {
            dc += extend(bits << (entry >> 8), size);
        }
        out[at] = (short) (dc << low);
        return (long) dc << 32 | position + (entry >> 8) + size & 0xffffffffL;
    }

    static int dcRefine(byte[] data, short[] out, int at, int low, int position) {
        if ((data[position >>> 3] << (position & 7) & 0x80) != 0) {
            out[at] |= (short) (1 << low);
        }
        return position + 1;
    }

    static long acFirst(
            byte[] data, HuffmanTable table, short[] out, int at, int start, int end, int low, int position) {
        int p = position >>> 3;
        int count = 56 - (position & 7);
        long bits = (long) LONGS.get(data, p) << (position & 7);
        p += 7;
        for (int k = start; k <= end; k++) {
            int entry = table.symbol(bits);
            if (entry == 0) {
                return DAMAGED;
            }
            int length = entry >> 8;
            int run = entry >> 4 & 15;
            int size = entry & 15;
            bits <<= length;
            if (size == 0 && run != 15) {
                int blocks = (1 << run) - 1 + (int) (bits >>> 1 >>> 63 - run);
                return (long) blocks << 32 | p * 8 - count + length + run & 0xffffffffL;
            }
            k += run;
            if (k > 63) {
                return DAMAGED;
            }
            if (size != 0) {
                out[at + 16 * k] = (short) (extend(bits, size) << low);
            }
            bits <<= size;
            count -= length + size;
            bits |= (long) LONGS.get(data, p) >>> count;
            p += 63 - count >>> 3;
            count |= 56;
        }
        return p * 8 - count & 0xffffffffL;
    }

    /** @param blocks how many blocks, this one included, have no new coefficients */
    static long acRefine(
            byte[] data,
            HuffmanTable table,
            short[] out,
            int at,
            int start,
            int end,
            int low,
            int position,
            int blocks) {
        int plus = 1 << low;
        int minus = -1 << low;
        int k = start;
        for (; blocks == 0 && k <= end; k++) {
            long bits = window(data, position);
            int entry = table.symbol(bits);
            if (entry == 0 || (entry & 15) > 1) {
                return DAMAGED;
            }
            bits <<= entry >> 8;
            position += entry >> 8;
            int run = entry >> 4 & 15;
            int value = 0;
            if ((entry & 15) != 0) {
                value = bits < 0 ? plus : minus;
                position++;
            } else if (run != 15) {
                blocks = (1 << run) + (int) (bits >>> 1 >>> 63 - run);
                position += run;
                break;
            }
            for (; k <= end; k++) {
                int c = at + 16 * k;
                if (out[c] != 0) {
                    position = refine(data, out, c, plus, minus, position);
                } else if (--run < 0) {
                    break;
                }
            }
            if (value != 0) {
                if (k > end) {
                    return DAMAGED;
                }
                out[at + 16 * k] = (short) value;
            }
        }
        if (blocks > 0) {
            for (; k <= end; k++) {
                int c = at + 16 * k;
                if (out[c] != 0) {
                    position = refine(data, out, c, plus, minus, position);
                }
            }
            blocks--;
        }
        return (long) blocks << 32 | position & 0xffffffffL;
    }

    private static int refine(byte[] data, short[] out, int at, int plus, int minus, int position) {
        if ((data[position >>> 3] << (position & 7) & 0x80) != 0 && (out[at] & plus) == 0) {
            out[at] += (short) (out[at] >= 0 ? plus : minus);
        }
        return position + 1;
    }
}
