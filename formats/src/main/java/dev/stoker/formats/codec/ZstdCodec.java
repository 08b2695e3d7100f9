package dev.stoker.formats.codec;

import io.airlift.compress.v3.zstd.ZstdJavaCompressor;
import io.airlift.compress.v3.zstd.ZstdJavaDecompressor;

/** Zstandard: one or more frames, without a dictionary. */
public final class ZstdCodec extends LibraryCodec {
    /** A zstd block makes at most 128 KiB, and takes four bytes at least: three of its header, one that is repeated. */
    private static final long RATIO = (128 << 10) / 4;

    public ZstdCodec() {
        super("zstd", RATIO, ZstdJavaDecompressor::new, ZstdJavaCompressor::new);
    }
}
