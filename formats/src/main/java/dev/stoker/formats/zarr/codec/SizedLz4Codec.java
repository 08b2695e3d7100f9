package dev.stoker.formats.zarr.codec;

import dev.stoker.formats.zarr.read.ByteCodecs;

/** LZ4 as numcodecs has it: {@code u32} decoded length, then a block. */
public final class SizedLz4Codec extends HeapCodec {
    public static final String NAME = "lz4-sized";

    public SizedLz4Codec() {
        super(NAME, ByteCodecs::lz4);
    }
}
