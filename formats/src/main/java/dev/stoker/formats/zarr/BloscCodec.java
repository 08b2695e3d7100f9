package dev.stoker.formats.zarr;

/** Blosc 1, as Zarr has it. */
public final class BloscCodec extends WholeCodec {
    static final String NAME = "blosc";

    public BloscCodec() {
        super(NAME, Blosc::decode);
    }
}
