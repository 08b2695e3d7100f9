package dev.stoker.image.jpeg;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Decodes or skips the Huffman codes of one block of a sequential scan. Two thirds of the time of decoding a picture go here.
 *
 * <p>All methods take a position in bits and return the position after the block in the low half and the DC value in the
 * high half; the position is {@link #DAMAGED} if a code does not exist or a run leaves the block. They read at most
 * 8 bytes beyond what they consume and check no end: the caller compares positions after each block. They are static and
 * separate on purpose: the compiler then keeps the whole state in registers.
 */
final class BlockDecoder {
    static final int DAMAGED = -1;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int LOOK_SHIFT = 64 - HuffmanTable.LOOK_BITS;
    private static final int SECOND_SHIFT = 48 + HuffmanTable.LOOK_BITS;
    private static final int SKIP_SHIFT = 64 - HuffmanTable.SKIP_BITS;
    /** Where coefficient 63 of lane 0 lies. */
    private static final int LAST = 63 * 16;

    private static final int OUTSIDE = 64 * 16;

    /** Integers that a block's array must have: the loop stores up to this far outside the block, where nobody looks. */
    static final int ARRAY_LENGTH = 16 * 160;

    private BlockDecoder() {}

    /**
     * @param symbols the DC table, {@code pairs} the AC table, as in {@link HuffmanTable}
     * @param out takes coefficient k at {@code lane + 16 * k}, where it must hold zeros
     */
    static long decode(byte[] data, char[] symbols, long[] pairs, int[] out, int lane, int position, int dc) {
        int p = position >>> 3;
        int count = position & 7;
        long bits = (long) LONGS.get(data, p) << count;
        count = 56 - count;
        p += 7;

        int entry = symbols[(int) (bits >>> LOOK_SHIFT)];
        if (entry >= 0x8000) {
            entry = symbols[(entry & 0x7fff) + (int) (bits << HuffmanTable.LOOK_BITS >>> SECOND_SHIFT)];
        }
        if (entry == 0) {
            return DAMAGED & 0xffffffffL;
        }
        int low = entry >>> 8;
        int high = entry & 15;
        long x = bits << low;
        int shift = 63 - high;
        dc += (int) ((x >>> 1 >>> shift) - (Long.MAX_VALUE >>> shift & ~(x >> 63)));
        out[lane] = dc;
        bits = x << high;
        count -= low + high;
        bits |= (long) LONGS.get(data, p) >>> count;
        p += 63 - count >>> 3;
        count |= 56;

        // Each turn looks up twice between refills. A look-up gives one or two symbols; both values are always stored,
        // those
        // that are not there to places outside the block or to be overwritten, because that costs less than asking.
        int at = lane;
        int next;
        long pair;
        for (; ; ) {
            pair = pairs[(int) (bits >>> LOOK_SHIFT)];
            if ((int) pair < 0) {
                pair = pairs[((int) pair & 0xffffff) + (int) (bits << HuffmanTable.LOOK_BITS >>> SECOND_SHIFT)];
            }
            high = (int) (pair >>> 32);
            low = (int) pair;
            next = at + (high >>> 6 & 0xfff);
            if (next >= LAST) {
                break;
            }
            x = bits << low;
            bits <<= high;
            count -= high & 63;
            shift = low >>> 8;
            low = at + (low >>> 20);
            at = next;
            shift = (int) ((x >>> shift) - (-1L >>> shift & ~(x >> 63)));
            out[next] = high >> 22;
            out[low] = shift;
            bits |= (long) LONGS.get(data, p) >>> count;
            p += 63 - count >>> 3;
            count |= 56;

            pair = pairs[(int) (bits >>> LOOK_SHIFT)];
            if ((int) pair < 0) {
                pair = pairs[((int) pair & 0xffffff) + (int) (bits << HuffmanTable.LOOK_BITS >>> SECOND_SHIFT)];
            }
            high = (int) (pair >>> 32);
            low = (int) pair;
            next = at + (high >>> 6 & 0xfff);
            if (next >= LAST) {
                break;
            }
            x = bits << low;
            bits <<= high;
            count -= high & 63;
            shift = low >>> 8;
            low = at + (low >>> 20);
            at = next;
            shift = (int) ((x >>> shift) - (-1L >>> shift & ~(x >> 63)));
            out[next] = high >> 22;
            out[low] = shift;
        }

        // The last look-up of the block: nothing of it is consumed yet.
        position = p * 8 - count;
        x = bits << low;
        shift = low >>> 8;
        int first = at + (low >>> 20);
        out[next] = high >> 22;
        out[first] = (int) ((x >>> shift) - (-1L >>> shift & ~(x >> 63)));
        if ((shift & 63) != 0 && first >= LAST) {
            // The first of a pair fills the block: the second belongs to the next block.
            position = first >= OUTSIDE ? DAMAGED : position + (low & 63) + 64 - (shift & 63);
        } else if (((high & HuffmanTable.END) != 0 || next < OUTSIDE) && (low & HuffmanTable.BAD) == 0) {
            position += high & 63;
        } else {
            position = DAMAGED;
        }
        return (long) dc << 32 | position & 0xffffffffL;
    }

    /** As {@link #decode}, but keeps only the DC value, which later blocks need. */
    static long skip(byte[] data, char[] symbols, char[] skips, long[] pairs, int position, int dc) {
        int p = position >>> 3;
        int count = position & 7;
        long bits = (long) LONGS.get(data, p) << count;
        count = 56 - count;
        p += 7;

        int entry = symbols[(int) (bits >>> LOOK_SHIFT)];
        if (entry >= 0x8000) {
            entry = symbols[(entry & 0x7fff) + (int) (bits << HuffmanTable.LOOK_BITS >>> SECOND_SHIFT)];
        }
        if (entry == 0) {
            return DAMAGED & 0xffffffffL;
        }
        int length = entry >>> 8;
        int size = entry & 15;
        long x = bits << length;
        int shift = 63 - size;
        dc += (int) ((x >>> 1 >>> shift) - (Long.MAX_VALUE >>> shift & ~(x >> 63)));
        bits = x << size;
        count -= length + size;
        bits |= (long) LONGS.get(data, p) >>> count;
        p += 63 - count >>> 3;
        count |= 56;

        int k = 0;
        for (; ; ) {
            int e = skips[(int) (bits >>> SKIP_SHIFT)];
            int next = k + (e >>> 6);
            if (next < 63 && e != 0) {
                k = next;
                bits <<= e;
                count -= e & 63;
                bits |= (long) LONGS.get(data, p) >>> count;
                p += 63 - count >>> 3;
                count |= 56;
                e = skips[(int) (bits >>> SKIP_SHIFT)];
                next = k + (e >>> 6);
                if (next < 63 && e != 0) {
                    k = next;
                    bits <<= e;
                    count -= e & 63;
                    continue;
                }
            }
            int reached = k + (e >>> 6 & 63);
            if (e >= 4096 ? reached <= 62 : reached == 63 && e != 0) {
                count -= e & 63;
                break;
            }
            // Too long for the skip table, or it may go beyond the block: one symbol at a time.
            long pair = pairs[(int) (bits >>> LOOK_SHIFT)];
            if ((int) pair < 0) {
                pair = pairs[((int) pair & 0xffffff) + (int) (bits << HuffmanTable.LOOK_BITS >>> SECOND_SHIFT)];
            }
            int low = (int) pair;
            int high = (int) (pair >>> 32);
            size = -(low >>> 8) & 63;
            int advance = size != 0 ? low >>> 24 : high >>> 10 & 255;
            length = (low & 63) + size;
            bits <<= length;
            count -= length;
            k += advance;
            if (k >= 63) {
                boolean end = size == 0 && (high & HuffmanTable.END) != 0;
                if (!end && k > 63 || (low & HuffmanTable.BAD) != 0) {
                    return DAMAGED & 0xffffffffL;
                }
                break;
            }
            bits |= (long) LONGS.get(data, p) >>> count;
            p += 63 - count >>> 3;
            count |= 56;
        }
        return (long) dc << 32 | p * 8 - count & 0xffffffffL;
    }

    /** As {@link #skip}, for tables that too few pictures share to build a skip table for. */
    static long skipByPairs(byte[] data, char[] symbols, long[] pairs, int position, int dc) {
        int p = position >>> 3;
        int count = position & 7;
        long bits = (long) LONGS.get(data, p) << count;
        count = 56 - count;
        p += 7;

        int entry = symbols[(int) (bits >>> LOOK_SHIFT)];
        if (entry >= 0x8000) {
            entry = symbols[(entry & 0x7fff) + (int) (bits << HuffmanTable.LOOK_BITS >>> SECOND_SHIFT)];
        }
        if (entry == 0) {
            return DAMAGED & 0xffffffffL;
        }
        int low = entry >>> 8;
        int high = entry & 15;
        long x = bits << low;
        int shift = 63 - high;
        dc += (int) ((x >>> 1 >>> shift) - (Long.MAX_VALUE >>> shift & ~(x >> 63)));
        bits = x << high;
        count -= low + high;

        int k = 0;
        int next;
        for (; ; ) {
            bits |= (long) LONGS.get(data, p) >>> count;
            p += 63 - count >>> 3;
            count |= 56;
            long pair = pairs[(int) (bits >>> LOOK_SHIFT)];
            if ((int) pair < 0) {
                pair = pairs[((int) pair & 0xffffff) + (int) (bits << HuffmanTable.LOOK_BITS >>> SECOND_SHIFT)];
            }
            low = (int) pair;
            high = (int) (pair >>> 32);
            next = k + (high >>> 10 & 255);
            if (next >= 63) {
                break;
            }
            k = next;
            bits <<= high;
            count -= high & 63;
        }

        position = p * 8 - count;
        int size = -(low >>> 8) & 63;
        int first = k + (low >>> 24);
        if (size != 0 && first >= 63) {
            position = first > 63 ? DAMAGED : position + (low & 63) + size;
        } else if (((high & HuffmanTable.END) != 0 || next == 63) && (low & HuffmanTable.BAD) == 0) {
            position += high & 63;
        } else {
            position = DAMAGED;
        }
        return (long) dc << 32 | position & 0xffffffffL;
    }
}
