package dev.stoker.block;

import dev.stoker.io.Checksum;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** A checksum in the last four bytes, as Zarr (crc32c) and HDF5 (fletcher32) have it: compared, and left out. */
final class TrailingChecksumCodec implements Codec {
    private static final int BYTES = 4;

    private final String name;

    TrailingChecksumCodec(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public long storedBytes(long decoded) {
        return decoded + BYTES;
    }

    @Override
    public void decode(MemorySegment stored, MemorySegment to, long[] numbers) throws IOException {
        MemorySegment content = stored.asSlice(0, to.byteSize());
        int expected = stored.get(SegmentBytes.U32, to.byteSize());
        int found = name.equals("crc32c") ? Checksum.of(content) : fletcher32(content);
        if (expected != found) {
            throw new IOException("its %s should be %08x but is %08x".formatted(name, expected, found));
        }
        MemorySegment.copy(content, 0, to, 0, to.byteSize());
    }

    /** Sums of big-endian 16-bit words, modulo 65,535; a last odd byte is the high one of a word. */
    static int fletcher32(MemorySegment bytes) {
        int sum1 = 0;
        int sum2 = 0;
        for (long at = 0; at < bytes.byteSize(); at += 2) {
            int low = at + 1 < bytes.byteSize() ? SegmentBytes.at(bytes, at + 1) : 0;
            sum1 = add(sum1, SegmentBytes.at(bytes, at) << 8 | low);
            sum2 = add(sum2, sum1);
        }
        return sum2 << 16 | sum1;
    }

    /** In ones' complement, as HDF5 adds: a sum that is not 0 never becomes 0. */
    private static int add(int a, int b) {
        int sum = a + b;
        return sum > 0xffff ? sum - 0xffff : sum;
    }
}
