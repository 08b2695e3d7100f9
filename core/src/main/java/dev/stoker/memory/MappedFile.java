package dev.stoker.memory;

import dev.stoker.StokerException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file mapped whole, for reading. Its segment may be used by any thread until the file is closed. */
public final class MappedFile implements AutoCloseable {
    private final Path path;
    /** Null where the memory is somebody else's. */
    private final @Nullable Arena arena;

    private final MemorySegment bytes;
    /** The file before it was mapped; null where what is mapped is a copy. */
    private final @Nullable SeenFile seen;

    private MappedFile(Path path, @Nullable Arena arena, MemorySegment bytes, @Nullable SeenFile seen) {
        this.path = path;
        this.arena = arena;
        this.bytes = bytes;
        this.seen = seen;
    }

    public static MappedFile open(Path path) {
        Arena arena = Arena.ofShared();
        try {
            SeenFile seen = path instanceof RemotePath ? null : SeenFile.of(path);
            try (var channel = RegularFile.open(path)) {
                MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
                return new MappedFile(path, arena, bytes, seen);
            }
        } catch (IOException e) {
            arena.close();
            throw cannotRead(path, e);
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

    /**
     * Throws an internal error again unless it is what the JVM makes of a mapped page that cannot be read: any other is a
     * defect, and says nothing of a file.
     */
    public static void requireFault(InternalError e) {
        // HotSpot has two such texts, "a fault occurred in …": one for compiled code, one for all other.
        if (e.getMessage() == null || !e.getMessage().contains("unsafe memory access operation")) {
            throw e;
        }
    }

    /** The sentence for a file that became shorter, or whose storage failed, while it was mapped. */
    public static StokerException unreadable(Path path, InternalError e) {
        requireFault(e);
        return new StokerException(
                "[" + path
                        + "] could not be read while it was mapped: it became shorter, or its storage failed; see the"
                        + " system's log (dmesg)",
                e);
    }

    /** The same file for reading by place; null where what is mapped is a copy. */
    public @Nullable InputFile reopen() {
        return seen == null ? null : InputFile.open(path);
    }

    /** One sentence for a file that cannot be read, whoever tried. */
    public static StokerException cannotRead(Path path, IOException e) {
        return cannotRead(path.toString(), e);
    }

    /** The same for a name that cannot be a Path, since the locale does not have its letters. */
    public static StokerException cannotRead(String path, IOException e) {
        return new StokerException("[" + path + "] cannot be read: " + reason(path, e), e);
    }

    /** The system's reason without the path that Java puts before it. */
    public static String reason(String path, IOException e) {
        if (e instanceof NoSuchFileException) {
            return "there is no such file or folder";
        }
        if (e instanceof java.nio.file.AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof Posix.Failure failure && failure.isShortage()) {
            return failure.getMessage() + "; that is a limit of the process or the system, not of the file; raise it"
                    + " (that of open files: ulimit -n 4096)";
        }
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        String prefix = path + ": ";
        return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
    }

    /** The file before it was mapped; null where what is mapped is a copy. */
    public @Nullable SeenFile seen() {
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
