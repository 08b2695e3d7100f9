package dev.stoker.memory;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file without a name, which is gone when it is closed and unmapped, whatever ends the process. It takes only the room
 * of what was written to it.
 */
public final class ScratchFile implements AutoCloseable {
    private static final int STEP = 1 << 30;

    private final FileChannel channel;

    private ScratchFile(FileChannel channel) {
        this.channel = channel;
    }

    /** The folder for what is needed for a while: TMPDIR, or /tmp. */
    public static Path folder() {
        String named = System.getenv("TMPDIR");
        return Path.of(named == null || named.isEmpty() ? "/tmp" : named);
    }

    /** Makes a file of this size, full of holes; it grows by what is written behind. */
    public static ScratchFile create(long size) throws IOException {
        Path named = Files.createTempFile(folder(), "stoker-", ".scratch");
        try {
            FileChannel channel = FileChannel.open(named, StandardOpenOption.READ, StandardOpenOption.WRITE);
            var file = new ScratchFile(channel);
            if (size > 0) {
                channel.write(ByteBuffer.allocate(1), size - 1);
            }
            return file;
        } finally {
            Files.delete(named);
        }
    }

    /** Writes at a place; any number of threads may. */
    public void write(long at, MemorySegment bytes) throws IOException {
        for (long done = 0; done < bytes.byteSize(); ) {
            ByteBuffer part =
                    bytes.asSlice(done, Math.min(STEP, bytes.byteSize() - done)).asByteBuffer();
            done += channel.write(part, at + done);
        }
    }

    /** All of it as long as it is now, with what is written there later. */
    public MemorySegment map(Arena arena) throws IOException {
        return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Nobody reads from it any more.
        }
    }
}
