package dev.stoker.io;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.zip.CRC32C;

/**
 * CRC32C of memory, also of more than 2 GiB.
 *
 * <p>A page of a mapped file that cannot be read ends the JVM if its checksum code meets it, since that is hand-written
 * machine code; a plain copy turns it into an {@link InternalError}. So what is mapped is copied first, piece by piece.
 */
public final class Checksum {
    private static final long STEP = 1 << 30;
    private static final int COPY_BYTES = 64 << 10;
    private static final int FILE_BYTES = 1 << 20;

    /** The checksum of a part of a file. */
    @FunctionalInterface
    public interface OfPart {
        int of(long offset, long length);
    }

    private final CRC32C crc = new CRC32C();

    public static int of(MemorySegment bytes) {
        return new Checksum().add(bytes).value();
    }

    /** The checksum as TFRecord files keep it. */
    public static int masked(MemorySegment bytes) {
        return masked(of(bytes));
    }

    /** The same of a CRC32C that is known: one of bytes that hold CRCs themselves would be weak, hence the mask. */
    public static int masked(int crc) {
        return Integer.rotateRight(crc, 15) + 0xa282ead8;
    }

    /** The checksum of a part of a file, which is read through a buffer. */
    public static int of(RangeReader file, long offset, long length) {
        var checksum = new Checksum();
        try (var arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(Math.clamp(length, 1, FILE_BYTES));
            for (long done = 0; done < length; ) {
                MemorySegment part = buffer.asSlice(0, Math.min(buffer.byteSize(), length - done));
                file.read(offset + done, part);
                checksum.add(part);
                done += part.byteSize();
            }
        }
        return checksum.value();
    }

    public Checksum add(MemorySegment bytes) {
        update(crc, bytes);
        return this;
    }

    /** Adds bytes, mapped ones too, to a checksum of the JDK. */
    public static void update(java.util.zip.Checksum sum, MemorySegment bytes) {
        if (bytes.isMapped()) {
            updateCopied(sum, bytes);
            return;
        }
        for (long at = 0; at < bytes.byteSize(); at += STEP) {
            sum.update(bytes.asSlice(at, Math.min(STEP, bytes.byteSize() - at)).asByteBuffer());
        }
    }

    private static void updateCopied(java.util.zip.Checksum sum, MemorySegment mapped) {
        var copy = new byte[(int) Math.min(COPY_BYTES, mapped.byteSize())];
        for (long at = 0; at < mapped.byteSize(); at += copy.length) {
            int length = (int) Math.min(copy.length, mapped.byteSize() - at);
            MemorySegment.copy(mapped, ValueLayout.JAVA_BYTE, at, copy, 0, length);
            sum.update(copy, 0, length);
        }
    }

    public int value() {
        return (int) crc.getValue();
    }

    public void reset() {
        crc.reset();
    }
}
