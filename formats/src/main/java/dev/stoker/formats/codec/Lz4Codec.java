package dev.stoker.formats.codec;

import io.airlift.compress.v3.lz4.Lz4JavaCompressor;
import io.airlift.compress.v3.lz4.Lz4JavaDecompressor;

/** LZ4: one bare block, without the frame of a file. */
public final class Lz4Codec extends LibraryCodec {
    public Lz4Codec() {
        super("lz4", 255, Lz4JavaDecompressor::new, Lz4JavaCompressor::new);
    }
}
