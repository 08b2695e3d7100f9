package dev.stoker.formats.zarr.codec;

/** Blosc 1, as Zarr has it. */
public final class BloscCodec extends HeapCodec {
    public static final String NAME = "blosc";

    public BloscCodec() {
        super(NAME, BloscFrame::decode);
    }
}
