package dev.stoker.memory;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/** CRC32C of native memory, also of more than 2 GiB. */
public final class Checksum {
    private static final long STEP = 1 << 30;

    private final CRC32C crc = new CRC32C();

    public static int of(MemorySegment bytes) {
        return new Checksum().add(bytes).value();
    }

    public Checksum add(MemorySegment bytes) {
        for (long at = 0; at < bytes.byteSize(); at += STEP) {
            crc.update(bytes.asSlice(at, Math.min(STEP, bytes.byteSize() - at)).asByteBuffer());
        }
        return this;
    }

    public int value() {
        return (int) crc.getValue();
    }

    public void reset() {
        crc.reset();
    }
}
