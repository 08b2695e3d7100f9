package dev.stoker.io;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;

/**
 * A file without a name, which is gone when it is closed and unmapped, whatever ends the process. It takes only the room
 * of what was written to it.
 */
public final class ScratchFile implements AutoCloseable {
    private static final int STEP = 1 << 30;
    private static final Set<OpenOption> NEW =
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ALONE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

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
        Path named = folder().resolve("stoker-" + UUID.randomUUID() + ".scratch");
        // Opened once: who may write to the folder could put another file under the name.
        FileChannel channel = FileChannel.open(named, NEW, OWNER_ALONE);
        try {
            var file = new ScratchFile(channel);
            if (size > 0) {
                channel.write(ByteBuffer.allocate(1), size - 1);
            }
            return file;
        } catch (IOException e) {
            channel.close();
            throw e;
        } finally {
            Files.deleteIfExists(named);
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
