package dev.stoker.formats.codec;

import dev.stoker.block.Codec;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** Nothing is stored of a block of zeros, as of the holes of a file. */
public final class ZerosCodec implements Codec {
    @Override
    public String name() {
        return "zeros";
    }

    @Override
    public void decode(MemorySegment stored, MemorySegment to, long[] numbers) throws IOException {
        if (stored.byteSize() != 0) {
            throw new IOException("a block of zeros should have no stored bytes but has " + stored.byteSize());
        }
        to.fill((byte) 0);
    }
}
