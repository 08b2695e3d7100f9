package dev.stoker.formats.codec;

import io.airlift.compress.v3.zstd.ZstdJavaCompressor;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;

/** Zstandard: one or more frames, without a dictionary. */
public final class ZstdCodec extends LibraryCodec {
    public ZstdCodec() {
        super("zstd", 1 << 17, ZstdJavaDecompressor::new, ZstdJavaCompressor::new);
    }
}
