package dev.stoker.formats.codec;

import io.airlift.compress.v3.lz4.Lz4FrameJavaCompressor;
import io.airlift.compress.v3.lz4.Lz4FrameJavaDecompressor;

/** LZ4 in the frame of a file, as Arrow has it. */
public final class Lz4FrameCodec extends LibraryCodec {
    public Lz4FrameCodec() {
        super("lz4-frame", 255, Lz4FrameJavaDecompressor::new, Lz4FrameJavaCompressor::new);
    }
}
