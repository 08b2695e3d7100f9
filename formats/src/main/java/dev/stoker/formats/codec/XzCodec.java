package dev.stoker.formats.codec;

import dev.stoker.block.Codec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.tukaani.xz.SingleXZInputStream;

/** XZ: one stream, with its own check. */
public final class XzCodec implements Codec {
    /** Blocks need a dictionary of at most their own size; a stream that asks for more is hostile. */
    private static final int MEMORY_KIB = 32 << 10;

    @Override
    public String name() {
        return "xz";
    }

    @Override
    public void decode(MemorySegment stored, MemorySegment to, long[] numbers) throws IOException {
        byte[] bytes = stored.toArray(ValueLayout.JAVA_BYTE);
        try (var in = new SingleXZInputStream(new ByteArrayInputStream(bytes), MEMORY_KIB)) {
            byte[] made = in.readNBytes(Math.toIntExact(to.byteSize()));
            if (made.length != to.byteSize() || in.read() >= 0) {
                throw new IOException("it should make " + to.byteSize() + " bytes but makes "
                        + (made.length < to.byteSize() ? String.valueOf(made.length) : "more"));
            }
            MemorySegment.copy(made, 0, to, ValueLayout.JAVA_BYTE, 0, made.length);
        }
    }
}
