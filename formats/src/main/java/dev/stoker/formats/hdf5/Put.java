package dev.stoker.formats.hdf5;

import java.io.ByteArrayOutputStream;

/** Little-endian bytes of metadata, one after another. */
final class Put {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Put u8(int value) {
        out.write(value);
        return this;
    }

    Put u16(int value) {
        return u8(value).u8(value >>> 8);
    }

    Put u32(long value) {
        return u16((int) value).u16((int) (value >>> 16));
    }

    Put u64(long value) {
        return u32(value).u32(value >>> 32);
    }

    Put bytes(byte[] bytes) {
        out.writeBytes(bytes);
        return this;
    }

    int size() {
        return out.size();
    }

    byte[] done() {
        return out.toByteArray();
    }
}
