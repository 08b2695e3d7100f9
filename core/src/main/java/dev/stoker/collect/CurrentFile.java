package dev.stoker.collect;

import dev.stoker.StokerException;
import dev.stoker.io.InputFile;
import dev.stoker.io.LittleEndian;
import dev.stoker.os.FileErrors;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The file that has a name now. A rank asks it, not the one that it has open, whether its samples are there: that one may
 * have lost its name meanwhile. It is opened for each look, since only that makes a network filesystem ask its server.
 */
final class CurrentFile implements AutoCloseable {
    private final Path path;
    private final @Nullable InputFile file;

    private CurrentFile(Path path, @Nullable InputFile file) {
        this.path = path;
        this.file = file;
    }

    static CurrentFile open(Path path) {
        try {
            return new CurrentFile(path, InputFile.open(path));
        } catch (StokerException e) {
            if (e.getCause() instanceof NoSuchFileException) {
                return new CurrentFile(path, null);
            }
            throw e;
        }
    }

    /** Whether it is there, and takes samples. */
    boolean isCollecting() {
        MemorySegment start = MemorySegment.ofArray(new byte[CollectHeader.MARK_BYTES]);
        return read(0, start) && CollectHeader.isCollecting(start);
    }

    /** Whether it is there, and being salvaged: what is written into it is not looked for any more. */
    boolean isSalvaged() {
        MemorySegment start = MemorySegment.ofArray(new byte[CollectHeader.MARK_BYTES]);
        return read(0, start) && CollectHeader.isSealing(start);
    }

    /** The number at a place; 0 behind the end. */
    long number(long at) {
        MemorySegment found = MemorySegment.ofArray(new byte[Long.BYTES]);
        return read(at, found) ? found.get(LittleEndian.U64, 0) : 0;
    }

    boolean has(long at, MemorySegment bytes) {
        MemorySegment found = MemorySegment.ofArray(new byte[(int) bytes.byteSize()]);
        return read(at, found) && found.mismatch(bytes) < 0;
    }

    private boolean read(long at, MemorySegment to) {
        try {
            return file != null && file.read(at, to) == to.byteSize();
        } catch (IOException e) {
            throw FileErrors.cannotRead(path, e);
        }
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }
}
