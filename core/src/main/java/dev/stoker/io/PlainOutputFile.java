package dev.stoker.io;

import dev.stoker.os.FileErrors;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/** What is written goes to the file. */
final class PlainOutputFile extends OutputFile {
    private static final int STEP = 1 << 30;

    private final FileChannel channel;
    private final Closeable opened;
    /**
     * One write at a time: local filesystems lock the whole file for a write, and threads that wait for that lock in the
     * kernel burn their cores, as much as a third of all time when packing.
     */
    private final ReentrantLock writing = new ReentrantLock();

    /** @param opened what is closed with it */
    PlainOutputFile(Path path, FileChannel channel, Closeable opened) {
        super(path);
        this.channel = channel;
        this.opened = opened;
    }

    static PlainOutputFile of(Path path, FileChannel channel) {
        return new PlainOutputFile(path, channel, channel);
    }

    @Override
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
            throw FileErrors.cannotWrite(path(), e);
        } finally {
            writing.unlock();
        }
    }

    @Override
    public boolean read(long offset, MemorySegment to) {
        try {
            return InputFile.read(channel, offset, to) == to.byteSize();
        } catch (IOException e) {
            throw FileErrors.cannotRead(path(), e);
        }
    }

    @Override
    public long size() {
        try {
            return channel.size();
        } catch (IOException e) {
            throw FileErrors.cannotRead(path(), e);
        }
    }

    @Override
    public void resize(long size) {
        try {
            if (channel.size() > size) {
                channel.truncate(size);
            } else if (channel.size() < size) {
                channel.write(ByteBuffer.allocate(1), size - 1);
            }
        } catch (IOException e) {
            throw FileErrors.cannotWrite(path(), e);
        }
    }

    @Override
    public void sync() {
        try {
            channel.force(true);
        } catch (IOException e) {
            throw FileErrors.cannotWrite(path(), e);
        }
    }

    @Override
    public void close() {
        try {
            opened.close();
        } catch (IOException e) {
            throw FileErrors.cannotWrite(path(), e);
        }
    }
}
