package dev.stoker.image.jpeg;

import dev.stoker.image.ImageException;
import dev.stoker.image.kernel.Kernels;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The encoded picture, copied once into an array of our own: the hot loops are faster on it, and nobody can change it. */
final class Input {
    /** Bit positions are 32-bit integers, so a picture must stay below 2^31 bits. */
    static final int MAX_LENGTH = (1 << 28) - 1024;

    byte[] bytes = new byte[1 << 17];
    int length;

    void set(MemorySegment encoded) {
        if (encoded.byteSize() > MAX_LENGTH) {
            throw new ImageException(
                    0, "a JPEG of " + encoded.byteSize() + " bytes; at most " + MAX_LENGTH + " are supported");
        }
        length = (int) encoded.byteSize();
        if (bytes.length < length + Kernels.SLACK) {
            bytes = new byte[length + length / 2 + Kernels.SLACK];
        }
        MemorySegment.copy(encoded, ValueLayout.JAVA_BYTE, 0, bytes, 0, length);
    }

    int u8(int at) {
        if (at >= length) {
            throw truncated(at);
        }
        return bytes[at] & 255;
    }

    int u16(int at) {
        if (at >= length - 1) {
            throw truncated(at);
        }
        return (bytes[at] & 255) << 8 | bytes[at + 1] & 255;
    }

    ImageException truncated(int at) {
        return new ImageException(at, "the JPEG ends after " + length + " bytes, in the middle; it is truncated");
    }
}
