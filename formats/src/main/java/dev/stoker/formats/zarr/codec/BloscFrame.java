package dev.stoker.formats.zarr.codec;

import dev.stoker.formats.zarr.read.ByteCodecs;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.util.zip.DataFormatException;

/**
 * Decodes a frame of Blosc 1: a header of 16 bytes, {@code u32} place of each block, and blocks. A block is cut into as
 * many parts as an element has bytes, or is one part; each part is {@code u32} length and its compressed bytes. Last, the
 * bytes or the bits of a block's elements are put back into their order.
 */
public final class BloscFrame {
    private static final int HEADER_BYTES = 16;
    private static final int SHUFFLED = 1;
    private static final int PLAIN = 2;
    private static final int BITS_SHUFFLED = 4;
    private static final int WHOLE = 16;
    private static final int MAX_PARTS = 16;
    private static final int SMALLEST_PART = 128;
    private static final String[] CODECS = {"blosclz", "lz4", "snappy", "zlib", "zstd"};

    private final byte[] in;
    private final MemorySegment bytes;
    private final int flags;
    private final int elementBytes;
    private final int blockBytes;
    /** Bytes of the frame that no part has had yet. */
    private int left;

    private BloscFrame(byte[] in) throws DataFormatException {
        if (in.length < HEADER_BYTES) {
            throw new DataFormatException("a frame of Blosc has at least " + HEADER_BYTES + " bytes, not " + in.length);
        }
        this.in = in;
        this.bytes = MemorySegment.ofArray(in);
        this.flags = in[2] & 0xff;
        this.elementBytes = Math.max(1, in[3] & 0xff);
        this.blockBytes = number(8);
        this.left = in.length;
        if ((in[0] & 0xff) > 2) {
            throw new DataFormatException("frames of Blosc version " + in[0] + " are not supported");
        }
    }

    public static byte[] decode(byte[] in, int limit) throws DataFormatException {
        return new BloscFrame(in).decode(limit);
    }

    private int number(int at) throws DataFormatException {
        if (at < 0 || at > in.length - 4) {
            throw new DataFormatException("a frame of Blosc ends too early");
        }
        return bytes.get(LittleEndian.U32, at);
    }

    private byte[] decode(int limit) throws DataFormatException {
        int length = number(4);
        if (length < 0 || length > limit || number(12) != in.length) {
            throw new DataFormatException("a frame of Blosc claims " + Integer.toUnsignedString(number(12))
                    + " bytes of " + Integer.toUnsignedString(length) + ", but it has " + in.length + " of at most "
                    + limit);
        }
        byte[] out = new byte[length];
        if ((flags & PLAIN) != 0) {
            requireRoom(HEADER_BYTES, length);
            System.arraycopy(in, HEADER_BYTES, out, 0, length);
            return out;
        }
        if (length > 0 && blockBytes <= 0) {
            throw new DataFormatException("blocks of Blosc have " + blockBytes + " bytes");
        }
        byte[] block = new byte[Math.min(Math.max(0, blockBytes), length)];
        for (int start = 0, number = 0; start < length; number++) {
            int blockLength = Math.min(blockBytes, length - start);
            decodeBlock(number(HEADER_BYTES + 4 * number), block, blockLength);
            unshuffle(block, blockLength, out, start);
            start += blockLength;
        }
        return out;
    }

    private void requireRoom(int from, int length) throws DataFormatException {
        if (from < 0 || length < 0 || from > in.length - length) {
            throw new DataFormatException("a frame of Blosc ends too early");
        }
    }

    private void decodeBlock(int at, byte[] block, int length) throws DataFormatException {
        boolean isCut = (flags & WHOLE) == 0
                && elementBytes <= MAX_PARTS
                && blockBytes / elementBytes >= SMALLEST_PART
                && length == blockBytes;
        int parts = isCut ? elementBytes : 1;
        int partLength = length / parts;
        int from = at;
        for (int part = 0; part < parts; part++) {
            int stored = number(from);
            from += 4;
            requireRoom(from, stored);
            // Blocks in any number could else share one part, and decode it each.
            left -= 4 + stored;
            if (left < 0) {
                throw new DataFormatException("the parts of a frame of Blosc lie in each other");
            }
            decodePart(from, stored, block, part * partLength, partLength);
            from += stored;
        }
    }

    private void decodePart(int from, int stored, byte[] block, int to, int length) throws DataFormatException {
        if (stored == length) {
            System.arraycopy(in, from, block, to, length);
            return;
        }
        int codec = flags >>> 5;
        switch (codec) {
            case 1 -> ByteCodecs.lz4(in, from, stored, block, to, length);
            case 3, 4 -> {
                byte[] part = java.util.Arrays.copyOfRange(in, from, from + stored);
                byte[] decoded = codec == 3 ? ByteCodecs.zlib(part, length) : ByteCodecs.zstd(part, length);
                if (decoded.length != length) {
                    throw new DataFormatException(
                            "a part of Blosc should have " + length + " bytes but has " + decoded.length);
                }
                System.arraycopy(decoded, 0, block, to, length);
            }
            default ->
                throw new DataFormatException("Stoker does not read Blosc with "
                        + (codec < CODECS.length ? CODECS[codec] : "codec " + codec)
                        + ", but with lz4, zlib and zstd");
        }
    }

    private void unshuffle(byte[] block, int length, byte[] out, int to) {
        int elements = length / elementBytes;
        if ((flags & SHUFFLED) != 0 && elementBytes > 1) {
            for (int i = 0; i < elements; i++) {
                for (int b = 0; b < elementBytes; b++) {
                    out[to + i * elementBytes + b] = block[b * elements + i];
                }
            }
        } else if ((flags & BITS_SHUFFLED) != 0 && elements % 8 == 0) {
            unshuffleBits(block, elements, out, to);
        } else {
            System.arraycopy(block, 0, out, to, length);
            return;
        }
        int whole = elements * elementBytes;
        System.arraycopy(block, whole, out, to + whole, length - whole);
    }

    /** For each bit of an element stands a row with that bit of all elements. */
    private void unshuffleBits(byte[] block, int elements, byte[] out, int to) {
        int rowBytes = elements / 8;
        for (int i = 0; i < elements; i++) {
            for (int b = 0; b < elementBytes; b++) {
                int value = 0;
                for (int bit = 0; bit < 8; bit++) {
                    value |= (block[(b * 8 + bit) * rowBytes + i / 8] >>> (i % 8) & 1) << bit;
                }
                out[to + i * elementBytes + b] = (byte) value;
            }
        }
    }
}
