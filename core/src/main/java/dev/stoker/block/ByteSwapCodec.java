package dev.stoker.block;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Turns numbers from big-endian to little-endian. Number 0: their width. */
final class ByteSwapCodec implements Codec {
    @Override
    public String name() {
        return "swap";
    }

    @Override
    public long storedBytes(long decoded) {
        return decoded;
    }

    @Override
    public void decode(MemorySegment stored, MemorySegment to, long[] numbers) throws IOException {
        byte[] in = stored.toArray(ValueLayout.JAVA_BYTE);
        int width = ElementWidth.of(numbers, in.length);
        var out = in.clone();
        for (int at = 0; at + width <= in.length; at += width) {
            for (int b = 0; b < width; b++) {
                out[at + b] = in[at + width - 1 - b];
            }
        }
        MemorySegment.copy(out, 0, to, ValueLayout.JAVA_BYTE, 0, out.length);
    }
}
