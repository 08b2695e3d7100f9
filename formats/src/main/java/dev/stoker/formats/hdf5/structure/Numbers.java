package dev.stoker.formats.hdf5.structure;

import dev.stoker.sample.DType;

/** Numbers in metadata, as people write them. */
final class Numbers {
    private Numbers() {}

    static String shown(FileBytes file, Datatype.Number number, long at) {
        int bytes = number.dtype().bytes();
        long bits = file.uint(at, bytes);
        bits = number.bigEndian() ? Long.reverseBytes(bits) >>> Long.SIZE - 8 * bytes : bits;
        return switch (number.dtype()) {
            case FLOAT16 -> String.valueOf(Float.float16ToFloat((short) bits));
            case FLOAT32 -> String.valueOf(Float.intBitsToFloat((int) bits));
            case FLOAT64 -> String.valueOf(Double.longBitsToDouble(bits));
            case UINT64 -> Long.toUnsignedString(bits);
            case BOOL -> bits == 0 ? "false" : "true";
            default -> String.valueOf(signed(bits, number.dtype()));
        };
    }

    private static long signed(long bits, DType dtype) {
        int unused = Long.SIZE - 8 * dtype.bytes();
        return dtype.isUnsigned() ? bits : bits << unused >> unused;
    }
}
