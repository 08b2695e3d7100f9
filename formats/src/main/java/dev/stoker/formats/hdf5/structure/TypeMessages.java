package dev.stoker.formats.hdf5.structure;

import dev.stoker.sample.DType;
import java.nio.charset.StandardCharsets;

/** Datatype messages of version 1, as the HDF5 library writes them and h5py takes them for NumPy's types. */
public final class TypeMessages {
    private TypeMessages() {}

    public static byte[] number(DType dtype) {
        return switch (dtype) {
            case BOOL -> bool();
            case FLOAT16 -> real(2, 10, 5, 15);
            case FLOAT32 -> real(4, 23, 8, 127);
            case FLOAT64 -> real(8, 52, 11, 1023);
            default -> integer(dtype.bytes(), !dtype.isUnsigned());
        };
    }

    private static MetadataBuffer head(int datatypeClass, int bits, long size) {
        return new MetadataBuffer()
                .u8(1 << 4 | datatypeClass)
                .u8(bits)
                .u8(bits >>> 8)
                .u8(bits >>> 16)
                .u32(size);
    }

    private static byte[] integer(int bytes, boolean signed) {
        return head(DatatypeReader.FIXED_POINT, signed ? 0x08 : 0, bytes)
                .u16(0)
                .u16(8 * bytes)
                .done();
    }

    private static byte[] real(int bytes, int mantissaBits, int exponentBits, int bias) {
        int sign = 8 * bytes - 1;
        return head(DatatypeReader.FLOATING_POINT, 0x20 | sign << 8, bytes)
                .u16(0)
                .u16(8 * bytes)
                .u8(mantissaBits)
                .u8(exponentBits)
                .u8(0)
                .u8(mantissaBits)
                .u32(bias)
                .done();
    }

    /** The enumeration that h5py knows as {@code bool}. */
    private static byte[] bool() {
        return head(DatatypeReader.ENUMERATION, 2, 1)
                .bytes(integer(1, true))
                .bytes("FALSE\0\0\0".getBytes(StandardCharsets.US_ASCII))
                .bytes("TRUE\0\0\0\0".getBytes(StandardCharsets.US_ASCII))
                .u8(0)
                .u8(1)
                .done();
    }

    /** Sequences; each is a reference of 16 bytes to an object of the global heap. */
    public static byte[] sequence(byte[] element) {
        return head(DatatypeReader.VARIABLE_LENGTH, 0, GlobalHeap.REFERENCE_BYTES)
                .bytes(element)
                .done();
    }

    /** Texts in UTF-8, kept as sequences are. */
    public static byte[] text() {
        return head(DatatypeReader.VARIABLE_LENGTH, 0x101, GlobalHeap.REFERENCE_BYTES)
                .bytes(integer(1, false))
                .done();
    }

    /** UTF-8 of one length, padded with NUL. */
    public static byte[] fixedText(long bytes) {
        return head(DatatypeReader.STRING, 0x11, bytes).done();
    }
}
