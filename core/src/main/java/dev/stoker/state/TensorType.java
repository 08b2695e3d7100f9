package dev.stoker.state;

import dev.stoker.PublicApi;

/** The types of safetensors that are read and written. */
@PublicApi
public enum TensorType {
    C64(8),
    F64(8),
    I64(8),
    U64(8),
    F32(4),
    I32(4),
    U32(4),
    BF16(2),
    F16(2),
    I16(2),
    U16(2),
    BOOL(1),
    F8_E4M3(1),
    F8_E5M2(1),
    I8(1),
    U8(1);

    private final int bytes;

    TensorType(int bytes) {
        this.bytes = bytes;
    }

    public int bytes() {
        return bytes;
    }
}
