package dev.stoker.formats.codec;

import io.airlift.compress.v3.lz4.Lz4FrameJavaCompressor;
import io.airlift.compress.v3.lz4.Lz4FrameJavaDecompressor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** LZ4 in the frame of a file, as Arrow has it. */
public final class Lz4FrameCodec extends LibraryCodec {
    public Lz4FrameCodec() {
        super("lz4-frame", 255, Lz4FrameJavaDecompressor::new, Lz4FrameJavaCompressor::new);
    }

    @Override
    public void decode(MemorySegment stored, MemorySegment to, long[] numbers) throws IOException {
        if (!Lz4LinkedFrame.isLinked(stored)) {
            super.decode(stored, to, numbers);
            return;
        }
        long made = Lz4LinkedFrame.decode(stored, to);
        if (made != to.byteSize()) {
            throw new IOException("it should make " + to.byteSize() + " bytes but makes " + made);
        }
    }
}
