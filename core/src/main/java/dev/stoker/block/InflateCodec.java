package dev.stoker.block;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Deflate, bare or in the frame of zlib or gzip. */
final class InflateCodec implements Codec {
    private static final int GZIP_HEAD = 10;
    private static final int GZIP_TAIL = 8;
    private static final int HAS_CHECKSUM = 2;
    private static final int HAS_EXTRA = 4;
    private static final int HAS_NAME = 8;
    private static final int HAS_COMMENT = 16;

    private final String name;
    private final boolean isBare;

    private InflateCodec(String name, boolean isBare) {
        this.name = name;
        this.isBare = isBare;
    }

    static Codec zlib() {
        return new InflateCodec("zlib", false);
    }

    static Codec gzip() {
        return new InflateCodec("gzip", true);
    }

    static Codec raw() {
        return new InflateCodec("deflate", true);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public MemorySegment encode(MemorySegment plain) {
        if (!name.equals("zlib")) {
            return Codec.super.encode(plain);
        }
        try (var deflater = new Deflater()) {
            deflater.setInput(plain.asByteBuffer());
            deflater.finish();
            // Stored blocks of at most 64 KiB are the worst case.
            var out = new byte[Math.toIntExact(plain.byteSize() + plain.byteSize() / 1000 + 64)];
            int length = 0;
            while (!deflater.finished()) {
                length += deflater.deflate(out, length, out.length - length);
            }
            return MemorySegment.ofArray(out).asSlice(0, length);
        }
    }

    @Override
    public long mostBytes(long stored) {
        // A pair of bits stands for 258 bytes at most.
        return (stored + 1) * 1032;
    }

    @Override
    public void decode(MemorySegment stored, MemorySegment to, long[] numbers) throws IOException {
        if (name.equals("gzip")) {
            gunzip(stored, to);
        } else {
            inflate(stored, to);
        }
    }

    /** Members one behind the other, mostly one; the tail of each holds the CRC-32 of what it was made from. */
    private static void gunzip(MemorySegment stored, MemorySegment to) throws IOException {
        long at = 0;
        long made = 0;
        do {
            MemorySegment member = stored.asSlice(at);
            long head = headBytes(member);
            long rest = member.byteSize() - GZIP_TAIL - head;
            if (rest < 0) {
                throw new IOException("its gzip frame is cut off");
            }
            try (var inflater = new Inflater(true)) {
                inflater.setInput(member.asSlice(head, rest).asByteBuffer());
                long bytes = fill(inflater, to.asSlice(made));
                requireEnd(inflater, to.byteSize());
                long end = head + inflater.getBytesRead();
                requireChecksum(member.get(SegmentBytes.U32, end), to.asSlice(made, bytes));
                made += bytes;
                at += end + GZIP_TAIL;
            } catch (DataFormatException e) {
                throw noDeflate(e);
            }
        } while (at < stored.byteSize());
        requireAll(made, to);
    }

    private static void requireChecksum(int expected, MemorySegment made) throws IOException {
        int crc = (int) SegmentBytes.crc32(made);
        if (crc != expected) {
            throw new IOException("its CRC-32 should be %08x but is %08x".formatted(expected, crc));
        }
    }

    private static long headBytes(MemorySegment stored) throws IOException {
        if (stored.byteSize() < GZIP_HEAD + GZIP_TAIL
                || stored.get(SegmentBytes.U16, 0) != (short) 0x8b1f
                || SegmentBytes.at(stored, 2) != 8) {
            throw new IOException("it should begin as gzip does");
        }
        int flags = SegmentBytes.at(stored, 3);
        long at = GZIP_HEAD;
        if ((flags & HAS_EXTRA) != 0) {
            at += 2 + Short.toUnsignedInt(stored.get(SegmentBytes.U16, at));
        }
        for (int text : new int[] {HAS_NAME, HAS_COMMENT}) {
            if ((flags & text) != 0) {
                while (at < stored.byteSize() && SegmentBytes.at(stored, at) != 0) {
                    at++;
                }
                at++;
            }
        }
        return at + ((flags & HAS_CHECKSUM) != 0 ? 2 : 0);
    }

    private void inflate(MemorySegment stored, MemorySegment to) throws IOException {
        try (var inflater = new Inflater(isBare)) {
            inflater.setInput(stored.asByteBuffer());
            requireAll(fill(inflater, to), to);
            requireEnd(inflater, to.byteSize());
        } catch (DataFormatException e) {
            throw noDeflate(e);
        }
    }

    /** Inflates until there is no more, or the room is full; returns how many bytes that were. */
    private static long fill(Inflater inflater, MemorySegment to) throws DataFormatException, IOException {
        var room = to.asByteBuffer();
        while (room.hasRemaining() && !inflater.finished()) {
            if (inflater.inflate(room) == 0 && !inflater.finished()) {
                throw new IOException(inflater.needsDictionary() ? "it needs a dictionary" : "it is cut off");
            }
        }
        return room.position();
    }

    private static void requireAll(long made, MemorySegment to) throws IOException {
        if (made < to.byteSize()) {
            throw new IOException("it should inflate to " + to.byteSize() + " bytes but has " + made);
        }
    }

    private static IOException noDeflate(DataFormatException e) {
        return new IOException("it is not deflated data: " + e.getMessage(), e);
    }

    private static void requireEnd(Inflater inflater, long expected) throws DataFormatException, IOException {
        if (!inflater.finished() && inflater.inflate(new byte[1]) > 0) {
            throw new IOException("it inflates to more than the " + expected + " bytes that it should have");
        }
        if (!inflater.finished()) {
            throw new IOException("it is cut off");
        }
    }
}
