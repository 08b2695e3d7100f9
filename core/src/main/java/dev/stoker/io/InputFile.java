package dev.stoker.io;

import dev.stoker.CorruptContainerException;
import dev.stoker.os.FileErrors;
import dev.stoker.os.RegularFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * A file that is read by place. Unlike a mapped one it cannot end the process: a page that the storage does not give, or
 * a file that became shorter, is an exception.
 */
public final class InputFile implements ByteSource {
    private static final int STEP = 1 << 30;

    private final Path path;
    private final FileChannel channel;
    private final long size;

    private InputFile(Path path, FileChannel channel, long size) {
        this.path = path;
        this.channel = channel;
        this.size = size;
    }

    public static InputFile open(Path path) {
        try {
            FileChannel channel = RegularFile.open(path);
            return new InputFile(path, channel, channel.size());
        } catch (IOException e) {
            throw FileErrors.cannotRead(path, e);
        }
    }

    public Path path() {
        return path;
    }

    /** The length that it had when it was opened. */
    @Override
    public long size() {
        return size;
    }

    @Override
    public String name(long offset) {
        return path.toString();
    }

    @Override
    public long read(long offset, MemorySegment to) throws IOException {
        return read(channel, offset, to);
    }

    static long read(FileChannel channel, long offset, MemorySegment to) throws IOException {
        long done = 0;
        while (done < to.byteSize()) {
            ByteBuffer part =
                    to.asSlice(done, Math.min(STEP, to.byteSize() - done)).asByteBuffer();
            int n = channel.read(part, offset + done);
            if (n < 0) {
                break;
            }
            done += n;
        }
        return done;
    }

    /** Reads all that is asked for, or throws. */
    public void readFully(long offset, MemorySegment to) {
        try {
            long read = read(offset, to);
            if (read < to.byteSize()) {
                throw new CorruptContainerException(
                        path.toString(), offset + read, "the file ends here; it became shorter, or is not whole");
            }
        } catch (IOException e) {
            throw cannotRead(offset, e);
        }
    }

    private CorruptContainerException cannotRead(long offset, IOException e) {
        var failure = new CorruptContainerException(
                path.toString(), offset, "cannot be read: " + FileErrors.reason(path.toString(), e));
        failure.initCause(e);
        return failure;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw FileErrors.cannotRead(path, e);
        }
    }
}
