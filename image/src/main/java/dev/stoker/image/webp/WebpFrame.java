package dev.stoker.image.webp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.stoker.image.ImageException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The first picture of an animation: its place on the canvas, and its bytes. A file is chunks of a name, a length and
 * that many bytes; the first one called {@code ANMF} has the place (3 bytes each for half of x, half of y, width - 1,
 * height - 1, the duration, and one of flags) and then chunks again, which are the picture.
 */
record WebpFrame(int x, int y, MemorySegment picture) {
    private static final ValueLayout.OfInt LENGTH = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int CHUNK_HEAD_BYTES = 8;
    private static final int FILE_HEAD_BYTES = 12;
    private static final int PLACE_BYTES = 16;

    static WebpFrame first(MemorySegment file) {
        long at = FILE_HEAD_BYTES;
        while (at <= file.byteSize() - CHUNK_HEAD_BYTES) {
            long length = Integer.toUnsignedLong(file.get(LENGTH, at + 4));
            long body = at + CHUNK_HEAD_BYTES;
            if (isNamed(file, at, "ANMF")) {
                if (length < PLACE_BYTES || length > file.byteSize() - body) {
                    break;
                }
                return new WebpFrame(
                        2 * u24(file, body),
                        2 * u24(file, body + 3),
                        file.asSlice(body + PLACE_BYTES, length - PLACE_BYTES));
            }
            at = body + length + (length & 1);
        }
        throw new ImageException(at, "the animation has no whole picture; it is truncated or damaged");
    }

    /** Whether bytes are a WebP file. */
    static boolean isWebp(MemorySegment bytes) {
        return bytes.byteSize() >= FILE_HEAD_BYTES && isNamed(bytes, 0, "RIFF") && isNamed(bytes, 8, "WEBP");
    }

    private static boolean isNamed(MemorySegment bytes, long at, String name) {
        for (int i = 0; i < name.length(); i++) {
            if (bytes.get(JAVA_BYTE, at + i) != name.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static int u24(MemorySegment bytes, long at) {
        return bytes.get(JAVA_BYTE, at) & 255
                | (bytes.get(JAVA_BYTE, at + 1) & 255) << 8
                | (bytes.get(JAVA_BYTE, at + 2) & 255) << 16;
    }
}
