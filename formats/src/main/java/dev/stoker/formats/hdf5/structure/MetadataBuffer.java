package dev.stoker.formats.hdf5.structure;

import java.io.ByteArrayOutputStream;

/** Little-endian bytes of metadata, one after another. */
public final class MetadataBuffer {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    public MetadataBuffer u8(int value) {
        out.write(value);
        return this;
    }

    public MetadataBuffer u16(int value) {
        return u8(value).u8(value >>> 8);
    }

    public MetadataBuffer u32(long value) {
        return u16((int) value).u16((int) (value >>> 16));
    }

    public MetadataBuffer u64(long value) {
        return u32(value).u32(value >>> 32);
    }

    public MetadataBuffer bytes(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    public int size() {
        return out.size();
    }

    public byte[] done() {
        return out.toByteArray();
    }
}
