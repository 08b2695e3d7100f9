package dev.stoker.formats.shared.zstd;

import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;

/**
 * Follows the frames of zstd by their headers and those of their blocks (RFC 8878, 3.1.1), and learns what they will
 * ask of a decoder, without decoding anything. What is no frame is not followed further: the decoder refuses it.
 */
public final class ZstdFrames {
    private static final int MAGIC = 0xfd2fb528;
    private static final int MAGIC_BYTES = 4;
    private static final int BLOCK_HEADER_BYTES = 3;
    private static final int CHECKSUM_BYTES = 4;
    private static final int MOST_IN_BLOCK = 128 << 10;
    /** Magic, descriptor, window, dictionary and content size. */
    private static final int LONGEST_HEADER = MAGIC_BYTES + 1 + 1 + 4 + 8;

    /** What is being collected. */
    private enum Part {
        DESCRIPTOR,
        FRAME_HEADER,
        BLOCK_HEADER
    }

    private final byte[] header = new byte[LONGEST_HEADER];
    private final MemorySegment numbers = MemorySegment.ofArray(header);
    private Part part = Part.DESCRIPTOR;
    private int collected;
    private int wanted = MAGIC_BYTES + 1;
    /** Bytes until the next header. */
    private long skipped;

    private boolean hasChecksum;
    private long window;
    private long mostBytes;

    /** Goes on with the next bytes. */
    public void follow(byte[] bytes, int from, int count) {
        int at = from;
        while (at < from + count) {
            if (skipped > 0) {
                int passed = (int) Math.min(skipped, from + count - at);
                skipped -= passed;
                at += passed;
                continue;
            }
            header[collected++] = bytes[at++];
            if (collected == wanted) {
                readHeader();
            }
        }
    }

    /** The largest window that a frame asked for so far; as an unsigned number. */
    public long window() {
        return window;
    }

    /** No decoder can make more bytes of all blocks so far. */
    public long mostBytes() {
        return mostBytes;
    }

    private void readHeader() {
        switch (part) {
            case DESCRIPTOR -> readDescriptor();
            case FRAME_HEADER -> readFrameHeader();
            case BLOCK_HEADER -> readBlockHeader();
        }
    }

    private void collect(Part next, int bytes) {
        part = next;
        collected = 0;
        wanted = bytes;
    }

    private void readDescriptor() {
        if (numbers.get(LittleEndian.U32, 0) != MAGIC) {
            skipped = Long.MAX_VALUE;
            return;
        }
        part = Part.FRAME_HEADER;
        wanted = MAGIC_BYTES + 1 + windowBytes() + dictionaryBytes() + contentSizeBytes();
    }

    private int descriptor() {
        return header[MAGIC_BYTES];
    }

    /** A frame of a single segment has no window of its own: all that it makes is one. */
    private boolean isSingle() {
        return (descriptor() & 0x20) != 0;
    }

    private int windowBytes() {
        return isSingle() ? 0 : 1;
    }

    private int dictionaryBytes() {
        return (1 << (descriptor() & 3)) >> 1;
    }

    private int contentSizeBytes() {
        int flag = descriptor() >>> 6 & 3;
        return flag == 0 ? 1 - windowBytes() : 1 << flag;
    }

    private void readFrameHeader() {
        long found = isSingle() ? contentSize() : windowSize(header[MAGIC_BYTES + 1]);
        window = Long.compareUnsigned(found, window) > 0 ? found : window;
        hasChecksum = (descriptor() & 4) != 0;
        collect(Part.BLOCK_HEADER, BLOCK_HEADER_BYTES);
    }

    private long contentSize() {
        int at = MAGIC_BYTES + 1 + dictionaryBytes();
        return switch (contentSizeBytes()) {
            case 1 -> Byte.toUnsignedLong(header[at]);
            case 2 -> 256 + Short.toUnsignedLong(numbers.get(LittleEndian.U16, at));
            case 4 -> Integer.toUnsignedLong(numbers.get(LittleEndian.U32, at));
            default -> numbers.get(LittleEndian.U64, at);
        };
    }

    /** An exponent, and eighths of the power that are added. */
    private static long windowSize(byte described) {
        long power = 1L << 10 + (described >>> 3 & 0x1f);
        return power + power / 8 * (described & 7);
    }

    private void readBlockHeader() {
        int read = header[0] & 0xff | (header[1] & 0xff) << 8 | (header[2] & 0xff) << 16;
        boolean isLast = (read & 1) != 0;
        int type = read >>> 1 & 3;
        int size = read >>> 3;
        boolean isRepeated = type == 1;
        skipped = isRepeated ? 1 : size;
        mostBytes += type < 2 ? size : MOST_IN_BLOCK;
        if (isLast) {
            skipped += hasChecksum ? CHECKSUM_BYTES : 0;
            collect(Part.DESCRIPTOR, MAGIC_BYTES + 1);
        } else {
            collect(Part.BLOCK_HEADER, BLOCK_HEADER_BYTES);
        }
    }
}
