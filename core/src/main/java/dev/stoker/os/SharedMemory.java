package dev.stoker.os;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Memory that another process maps too, once it was given {@link #file}. It has no name in any folder, so that nothing
 * is left of it when the last process ends, however that ends.
 */
public final class SharedMemory implements AutoCloseable {
    private static final int MFD_CLOEXEC = 1;
    private static final MemorySegment MEMFD_CREATE = SystemCall.symbol("memfd_create");

    private final Arena arena = Arena.ofShared();
    private final MemorySegment bytes;
    private int file;

    /** Memory of whole pages; what it holds first is zeros. */
    public SharedMemory(long size) throws IOException {
        this("stoker", size);
    }

    /** The same; {@code /proc/PID/fd} shows it as {@code memfd:LABEL} to those who may look there. */
    public SharedMemory(String label, long size) throws IOException {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment name = scratch.allocateFrom(label, StandardCharsets.US_ASCII);
            file = SystemCall.checked(MEMFD_CREATE, name.address(), MFD_CLOEXEC, 0, 0, 0);
        }
        try (var channel =
                FileChannel.open(Path.of("/proc/self/fd/" + file), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, size, arena);
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    public MemorySegment bytes() {
        return bytes;
    }

    /** The open file, to be passed on; -1 after {@link #closeFile}. */
    public int file() {
        return file;
    }

    /** Lets go of the file; the memory stays. */
    public void closeFile() {
        if (file >= 0) {
            Posix.close(file);
            file = -1;
        }
    }

    @Override
    public void close() {
        closeFile();
        arena.close();
    }
}
