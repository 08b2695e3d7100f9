package dev.stoker.image;

/** The type of a channel's value in a batch. */
public enum DType {
    UINT8(1),
    FLOAT16(2),
    BFLOAT16(2),
    FLOAT32(4);

    private final int bytes;

    DType(int bytes) {
        this.bytes = bytes;
    }

    public int bytes() {
        return bytes;
    }

    public boolean isFloat() {
        return this != UINT8;
    }
}
