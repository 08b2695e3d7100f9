package dev.stoker.stage.copy;

import dev.stoker.StokerException;
import dev.stoker.os.FileErrors;
import dev.stoker.os.Posix;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A file that is copied: read by place, by many threads at once. Not mapped, since a copy would fault in every page. */
final class LocalCopySource implements CopySource {
    private final Path path;
    private final int file;

    LocalCopySource(Path path) {
        this.path = path;
        try {
            this.file = Posix.open(Posix.HERE, path.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw FileErrors.cannotRead(path, e);
        }
    }

    @Override
    public RangeCopy.Reader open(long offset, long length) {
        return this::read;
    }

    void read(long offset, MemorySegment to) {
        try {
            long read = Posix.read(file, to, offset);
            if (read < to.byteSize()) {
                throw new StokerException(
                        path,
                        "became shorter while it was copied: it ends at byte " + (offset + read)
                                + "; stage it again when nobody writes it");
            }
        } catch (IOException e) {
            throw FileErrors.cannotRead(path, e);
        }
    }

    @Override
    public void close() {
        Posix.close(file);
    }
}
