package dev.stoker.formats.zarr;

import java.util.zip.DataFormatException;

/** Decodes a block of LZ4: literals and copies of what came before, in turns. */
final class Lz4 {
    private static final int SHORTEST_COPY = 4;
    private static final int MORE = 15;

    private final byte[] in;
    private final int end;
    private int at;

    private Lz4(byte[] in, int from, int length) {
        this.in = in;
        this.at = from;
        this.end = from + length;
    }

    /** Decodes the bytes {@code from … from + length - 1} to exactly {@code toLength} bytes. */
    static void decode(byte[] in, int from, int length, byte[] to, int toFrom, int toLength)
            throws DataFormatException {
        new Lz4(in, from, length).decode(to, toFrom, toFrom + toLength);
    }

    private void decode(byte[] to, int toFrom, int toEnd) throws DataFormatException {
        int out = toFrom;
        while (true) {
            int token = next();
            int literals = length(token >>> 4);
            if (literals > end - at || literals > toEnd - out) {
                throw new DataFormatException("LZ4 literals reach too far");
            }
            System.arraycopy(in, at, to, out, literals);
            at += literals;
            out += literals;
            if (at == end) {
                break;
            }
            int distance = next() | next() << 8;
            int copied = Math.addExact(length(token & MORE), SHORTEST_COPY);
            if (distance == 0 || distance > out - toFrom || copied > toEnd - out) {
                throw new DataFormatException("an LZ4 copy reaches too far");
            }
            for (int i = 0; i < copied; i++, out++) {
                to[out] = to[out - distance];
            }
        }
        if (out != toEnd) {
            throw new DataFormatException(
                    "an LZ4 block should give " + (toEnd - toFrom) + " bytes but gives " + (out - toFrom));
        }
    }

    private int next() throws DataFormatException {
        if (at >= end) {
            throw new DataFormatException("an LZ4 block ends too early");
        }
        return in[at++] & 0xff;
    }

    private int length(int first) throws DataFormatException {
        int length = first;
        if (first == MORE) {
            int more;
            do {
                more = next();
                length += more;
                if (length < 0 || length > Integer.MAX_VALUE - 1024) {
                    throw new DataFormatException("a length of LZ4 is too large");
                }
            } while (more == 0xff);
        }
        return length;
    }
}
