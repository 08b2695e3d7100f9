package dev.stoker.formats.arrow;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** The bytes by which Arrow's files are known. */
final class ArrowMagic {
    /** Begins a file, padded to 8 bytes, and ends it. */
    static final byte[] ARROW1 = "ARROW1".getBytes(StandardCharsets.US_ASCII);

    /** Begins every message since format 0.15, in a file as in a stream. */
    static final int CONTINUATION = -1;

    private static final byte[] FEATHER1 = "FEA1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] STREAM = {-1, -1, -1, -1};

    private ArrowMagic() {}

    static boolean isFile(MemorySegment head) {
        return isAt(ARROW1, head, 0);
    }

    static boolean isFeather1(MemorySegment head) {
        return isAt(FEATHER1, head, 0);
    }

    static boolean isStream(MemorySegment head) {
        return isAt(STREAM, head, 0);
    }

    static boolean isAt(byte[] magic, MemorySegment bytes, long offset) {
        if (offset < 0 || bytes.byteSize() - offset < magic.length) {
            return false;
        }
        for (int i = 0; i < magic.length; i++) {
            if (bytes.get(ValueLayout.JAVA_BYTE, offset + i) != magic[i]) {
                return false;
            }
        }
        return true;
    }
}
