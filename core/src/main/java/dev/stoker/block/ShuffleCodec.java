package dev.stoker.block;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Undoes the byte shuffle of HDF5: first bytes of all numbers, then second bytes, and so on. Number 0: their width. */
final class ShuffleCodec implements Codec {
    @Override
    public String name() {
        return "shuffle";
    }

    @Override
    public long storedBytes(long decoded) {
        return decoded;
    }

    @Override
    public void decode(MemorySegment stored, MemorySegment to, long[] numbers) throws IOException {
        byte[] in = stored.toArray(ValueLayout.JAVA_BYTE);
        int width = ElementWidth.of(numbers, in.length);
        int count = in.length / width;
        var out = new byte[in.length];
        for (int b = 0; b < width; b++) {
            for (int i = 0, at = b, from = b * count; i < count; i++, at += width) {
                out[at] = in[from + i];
            }
        }
        // A rest that makes no whole number was left as it is.
        System.arraycopy(in, count * width, out, count * width, in.length - count * width);
        MemorySegment.copy(out, 0, to, ValueLayout.JAVA_BYTE, 0, out.length);
    }
}
