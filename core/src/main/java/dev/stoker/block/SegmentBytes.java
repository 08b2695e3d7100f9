package dev.stoker.block;

import dev.stoker.io.Checksum;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32;

/** Bytes of a segment, as decoders look at them. */
final class SegmentBytes {
    static final ValueLayout.OfShort U16 = LittleEndian.U16;
    static final ValueLayout.OfInt U32 = LittleEndian.U32;

    private SegmentBytes() {}

    static int at(MemorySegment bytes, long place) {
        return Byte.toUnsignedInt(bytes.get(ValueLayout.JAVA_BYTE, place));
    }

    static long crc32(MemorySegment bytes) {
        var crc = new CRC32();
        Checksum.update(crc, bytes);
        return crc.getValue();
    }
}
