package dev.stoker.memory;

import dev.stoker.StokerException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/** A file that is written by place, by any number of threads at once. */
public final class OutputFile implements AutoCloseable {
    private static final int STEP = 1 << 30;

    private final Path path;
    private final FileChannel channel;
    /**
     * One write at a time: local filesystems lock the whole file for a write, and threads that wait for that lock in the
     * kernel burn their cores, as much as a third of all time when packing.
     */
    private final ReentrantLock writing = new ReentrantLock();

    private OutputFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Creates the file, or opens it as it is. */
    public static OutputFile open(Path path) {
        return open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    /** Opens a file that must be there. */
    public static OutputFile openExisting(Path path) {
        return open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private static OutputFile open(Path path, OpenOption... options) {
        try {
            return new OutputFile(path, FileChannel.open(path, options));
        } catch (IOException e) {
            throw cannotWrite(path, e);
        }
    }

    public static StokerException cannotWrite(Path path, IOException e) {
        return new StokerException("[" + path + "] cannot be written: " + MappedFile.reason(path.toString(), e), e);
    }

    public Path path() {
        return path;
    }

    /**
     * Claims the file for this process until it is closed; false if another has it. Where the filesystem has no locks,
     * everyone gets it.
     */
    public boolean lock() {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    public void write(long offset, MemorySegment bytes) {
        writing.lock();
        try {
            for (long done = 0; done < bytes.byteSize(); ) {
                ByteBuffer part = bytes.asSlice(done, Math.min(STEP, bytes.byteSize() - done))
                        .asByteBuffer();
                while (part.hasRemaining()) {
                    done += channel.write(part, offset + done);
                }
            }
        } catch (IOException e) {
            throw cannotWrite(path, e);
        } finally {
            writing.unlock();
        }
    }

    /** Reads what stands at a place; false if the file ends before. */
    public boolean read(long offset, MemorySegment to) {
        try {
            for (long done = 0; done < to.byteSize(); ) {
                ByteBuffer part =
                        to.asSlice(done, Math.min(STEP, to.byteSize() - done)).asByteBuffer();
                int n = channel.read(part, offset + done);
                if (n < 0) {
                    return false;
                }
                done += n;
            }
            return true;
        } catch (IOException e) {
            throw MappedFile.cannotRead(path, e);
        }
    }

    public long size() {
        try {
            return channel.size();
        } catch (IOException e) {
            throw MappedFile.cannotRead(path, e);
        }
    }

    /** Sets the length; what was not written yet reads as zeros. */
    public void resize(long size) {
        try {
            if (channel.size() > size) {
                channel.truncate(size);
            } else if (channel.size() < size) {
                channel.write(ByteBuffer.allocate(1), size - 1);
            }
        } catch (IOException e) {
            throw cannotWrite(path, e);
        }
    }

    /** Returns when everything written has reached the disk. */
    public void sync() {
        try {
            channel.force(true);
        } catch (IOException e) {
            throw cannotWrite(path, e);
        }
    }

    /** Returns when the names in a file's folder have reached the disk: what was made, renamed and deleted there. */
    public static void syncFolderOf(Path path) {
        Path folder = path.toAbsolutePath().getParent();
        if (folder == null) {
            return;
        }
        try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            throw cannotWrite(folder, e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw cannotWrite(path, e);
        }
    }
}
