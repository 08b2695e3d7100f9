package dev.stoker.io;

import dev.stoker.os.FileErrors;
import dev.stoker.os.FileProbe;
import dev.stoker.os.FileStamp;
import dev.stoker.os.RegularFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file mapped whole, for reading. Its segment may be used by any thread until the file is closed. */
public final class MappedFile implements AutoCloseable {
    private final Path path;
    /** Null where the memory is somebody else's. */
    private final @Nullable Arena arena;

    private final MemorySegment bytes;
    /** The file before it was mapped; null where what is mapped is a copy. */
    private final @Nullable FileStamp seen;

    private MappedFile(Path path, @Nullable Arena arena, MemorySegment bytes, @Nullable FileStamp seen) {
        this.path = path;
        this.arena = arena;
        this.bytes = bytes;
        this.seen = seen;
    }

    public static MappedFile open(Path path) {
        Arena arena = Arena.ofShared();
        try {
            FileStamp seen = FileProbe.isLocal(path) ? FileStamp.of(path) : null;
            try (var channel = RegularFile.open(path)) {
                MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
                return new MappedFile(path, arena, bytes, seen);
            }
        } catch (IOException e) {
            arena.close();
            throw FileErrors.cannotRead(path, e);
        }
    }

    /** What a scratch file holds of another, whose name it bears. */
    public static MappedFile of(Path path, ScratchFile scratch) throws IOException {
        Arena arena = Arena.ofShared();
        try {
            return new MappedFile(path, arena, scratch.map(arena), null);
        } catch (IOException e) {
            arena.close();
            throw e;
        }
    }

    /** Bytes that are in memory already, as if they were those of a file; they stay whose they are. */
    public static MappedFile of(Path path, MemorySegment bytes) {
        return new MappedFile(path, null, bytes, null);
    }

    /** The same file for reading by place; null where what is mapped is a copy. */
    public @Nullable InputFile reopen() {
        return seen == null ? null : InputFile.open(path);
    }

    /** The file before it was mapped; null where what is mapped is a copy. */
    public @Nullable FileStamp seen() {
        return seen;
    }

    public Path path() {
        return path;
    }

    public MemorySegment bytes() {
        return bytes;
    }

    public long size() {
        return bytes.byteSize();
    }

    /** The file's name as messages show it. */
    public String name() {
        return String.valueOf(path.getFileName());
    }

    @Override
    public void close() {
        if (arena != null && arena.scope().isAlive()) {
            arena.close();
        }
    }
}
