package dev.stoker.stage.copy;

import dev.stoker.io.Checksum;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Parts of files, read and written through a thread's buffer. */
final class RangeCopy {
    private RangeCopy() {}

    /** Gives the bytes of a part of the source. It is asked for them from front to back. */
    interface Reader extends AutoCloseable {
        void read(long from, MemorySegment to);

        @Override
        default void close() {}
    }

    /** Copies {@code length} bytes from a place of the source to a place of a file, and adds them to a checksum. */
    static void copy(
            Reader source, long from, FileChannel to, long at, long length, MemorySegment buffer, Checksum checksum)
            throws IOException {
        for (long done = 0; done < length; ) {
            MemorySegment part = buffer.asSlice(0, Math.min(buffer.byteSize(), length - done));
            source.read(from + done, part);
            checksum.add(part);
            ByteBuffer bytes = part.asByteBuffer();
            while (bytes.hasRemaining()) {
                done += to.write(bytes, at + done);
            }
        }
    }

    /** Adds {@code length} bytes at a place of a file to a checksum. */
    static void sum(FileChannel file, long at, long length, MemorySegment buffer, Checksum checksum)
            throws IOException {
        for (long done = 0; done < length; ) {
            MemorySegment part = buffer.asSlice(0, Math.min(buffer.byteSize(), length - done));
            ByteBuffer bytes = part.asByteBuffer();
            while (bytes.hasRemaining()) {
                int read = file.read(bytes, at + done + bytes.position());
                if (read < 0) {
                    throw new EOFException("it is shorter than it should be");
                }
            }
            checksum.add(part);
            done += part.byteSize();
        }
    }
}
