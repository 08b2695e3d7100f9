package dev.stoker.formats.codec;

import io.airlift.compress.v3.snappy.SnappyJavaCompressor;
import io.airlift.compress.v3.snappy.SnappyJavaDecompressor;

/** Snappy: one bare block, without the frame of a stream. */
public final class SnappyCodec extends LibraryCodec {
    public SnappyCodec() {
        super("snappy", 64, SnappyJavaDecompressor::new, SnappyJavaCompressor::new);
    }
}
