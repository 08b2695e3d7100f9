package dev.stoker.formats.codec;

import dev.stoker.io.LittleEndian;
import io.airlift.compress.v3.xxhash.XxHash32JavaHasher;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Decodes a frame of LZ4 whose blocks refer to those before them, as polars writes it; the library reads only blocks that
 * stand alone. All blocks are decoded into one piece of memory, where the 64 KiB before a block are what it may refer to.
 *
 * <pre>
 *   magic        4   04 22 4d 18
 *   flags        1   version 01, independent blocks, block checksums, content size, content checksum, 0, dictionary
 *   block size   1
 *   content size 8   if the flag is set
 *   checksum     1   of the header
 *   blocks           length (4, its highest bit: as it is), data, checksum (4, if the flag is set); a length of 0 ends them
 *   checksum     4   of the content, if the flag is set
 * </pre>
 */
final class Lz4LinkedFrame {
    private static final int MAGIC = 0x184d2204;
    private static final int LEAST_BYTES = 7;
    private static final int VERSION = 0xc0;
    private static final int VERSION_1 = 0x40;
    private static final int INDEPENDENT = 0x20;
    private static final int BLOCK_CHECKSUMS = 0x10;
    private static final int CONTENT_SIZE = 0x08;
    private static final int CONTENT_CHECKSUM = 0x04;
    private static final int DICTIONARY = 0x01;
    private static final int AS_IT_IS = 1 << 31;

    private static final int MORE = 15;
    private static final int LEAST_MATCH = 4;

    private final MemorySegment stored;
    private final MemorySegment to;
    private long at;
    private long made;

    private Lz4LinkedFrame(MemorySegment stored, MemorySegment to) {
        this.stored = stored;
        this.to = to;
    }

    /** Whether it is such a frame; what is damaged at its beginning is left to the library to refuse. */
    static boolean isLinked(MemorySegment stored) {
        if (stored.byteSize() < LEAST_BYTES || stored.get(LittleEndian.U32, 0) != MAGIC) {
            return false;
        }
        int flags = stored.get(ValueLayout.JAVA_BYTE, 4);
        return (flags & VERSION) == VERSION_1 && (flags & (INDEPENDENT | DICTIONARY)) == 0;
    }

    /** Decodes the frame; returns how many bytes it made. */
    static long decode(MemorySegment stored, MemorySegment to) throws IOException {
        return new Lz4LinkedFrame(stored, to).decode();
    }

    private long decode() throws IOException {
        int flags = stored.get(ValueLayout.JAVA_BYTE, 4);
        at = (flags & CONTENT_SIZE) != 0 ? 14 : 6;
        require(at + 1);
        int expected = XxHash32JavaHasher.hash(stored.asSlice(4, at - 4), 0) >> 8 & 0xff;
        if (u8() != expected) {
            throw new IOException("the checksum of its header does not match");
        }
        for (int length = u32(); length != 0; length = u32()) {
            block(length & ~AS_IT_IS, (length & AS_IT_IS) != 0, (flags & BLOCK_CHECKSUMS) != 0);
        }
        if ((flags & CONTENT_CHECKSUM) != 0 && u32() != XxHash32JavaHasher.hash(to.asSlice(0, made), 0)) {
            throw new IOException("the checksum of its content does not match");
        }
        if (at != stored.byteSize()) {
            throw new IOException("it ends after " + at + " bytes, but " + stored.byteSize() + " are stored");
        }
        return made;
    }

    private void block(long length, boolean isAsItIs, boolean hasChecksum) throws IOException {
        long end = at + length;
        require(end);
        MemorySegment block = stored.asSlice(at, length);
        if (isAsItIs) {
            literals(length);
        } else {
            sequences(end);
        }
        if (hasChecksum && u32() != XxHash32JavaHasher.hash(block, 0)) {
            throw new IOException("the checksum of a block does not match");
        }
    }

    private void sequences(long end) throws IOException {
        while (at < end) {
            int token = u8();
            literals(length(token >> 4));
            if (at == end) {
                return;
            }
            int offset = u8() | u8() << 8;
            match(offset, LEAST_MATCH + length(token & MORE));
        }
        if (at > end) {
            throw new IOException("a sequence extends past the end of its block");
        }
    }

    /** A number of four bits, and bytes that are added to it until one is not 255. */
    private long length(int nibble) throws IOException {
        long length = nibble;
        for (int more = nibble == MORE ? 255 : 0; more == 255; length += more) {
            more = u8();
        }
        return length;
    }

    private void literals(long length) throws IOException {
        require(at + length);
        requireRoom(length);
        MemorySegment.copy(stored, at, to, made, length);
        at += length;
        made += length;
    }

    /** A match may reach into itself: then its first bytes repeat. */
    private void match(int offset, long length) throws IOException {
        if (offset == 0 || offset > made) {
            throw new IOException("a match refers to " + offset + " bytes before byte " + made);
        }
        requireRoom(length);
        for (long left = length; left > 0; ) {
            long piece = Math.min(left, offset);
            MemorySegment.copy(to, made - offset, to, made, piece);
            made += piece;
            left -= piece;
        }
    }

    private void requireRoom(long length) throws IOException {
        if (length > to.byteSize() - made) {
            throw new IOException("it makes more than the " + to.byteSize() + " bytes that it should");
        }
    }

    private void require(long end) throws IOException {
        if (end > stored.byteSize()) {
            throw new IOException("it ends too early, after " + stored.byteSize() + " bytes");
        }
    }

    private int u8() throws IOException {
        require(at + 1);
        return stored.get(ValueLayout.JAVA_BYTE, at++) & 0xff;
    }

    private int u32() throws IOException {
        require(at + 4);
        at += 4;
        return stored.get(LittleEndian.U32, at - 4);
    }
}
