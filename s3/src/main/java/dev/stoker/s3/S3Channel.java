package dev.stoker.s3;

import dev.stoker.StokerException;
import dev.stoker.memory.RemoteObject;
import dev.stoker.memory.RemotePath;
import dev.stoker.memory.ScratchFile;
import dev.stoker.pack.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * An object as an open file, for reading. What is mapped is fetched: a little into memory, much into a scratch file by
 * many requests at once. Reads from front to back, as of a stream, share one request.
 */
final class S3Channel extends FileChannel {
    private static final long SMALL = 16 << 20;
    private static final long PIECE_BYTES = 16 << 20;
    private static final int CONNECTIONS = 16;

    private final S3Path path;
    private final RemoteObject object;
    private long position;
    private RemotePath.@Nullable Reader stream;

    S3Channel(S3Path path, RemoteObject object) {
        this.path = path;
        this.object = object;
    }

    @Override
    public synchronized int read(ByteBuffer to) {
        int length = (int) Math.min(to.remaining(), object.size() - position);
        if (length <= 0) {
            return to.hasRemaining() ? -1 : 0;
        }
        RemotePath.Reader open = stream;
        if (open == null) {
            open = path.open(object, position, object.size() - position);
            stream = open;
        }
        open.read(MemorySegment.ofBuffer(to).asSlice(0, length));
        to.position(to.position() + length);
        position += length;
        return length;
    }

    @Override
    public int read(ByteBuffer to, long from) {
        int length = (int) Math.min(to.remaining(), object.size() - from);
        if (length <= 0) {
            return to.hasRemaining() ? -1 : 0;
        }
        path.read(object, from, MemorySegment.ofBuffer(to).asSlice(0, length));
        to.position(to.position() + length);
        return length;
    }

    @Override
    public synchronized long read(ByteBuffer[] to, int offset, int length) {
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            int read = read(to[i]);
            if (read < 0) {
                return sum == 0 ? -1 : sum;
            }
            sum += read;
        }
        return sum;
    }

    @Override
    public MemorySegment map(MapMode mode, long offset, long size, Arena arena) throws IOException {
        if (size <= SMALL) {
            MemorySegment memory = arena.allocate(size, Long.BYTES);
            path.read(object, offset, memory);
            return memory.asReadOnly();
        }
        try (ScratchFile scratch = ScratchFile.create(size)) {
            Workers.run(CONNECTIONS, Math.ceilDiv(size, PIECE_BYTES), () -> piece -> {
                long from = piece * PIECE_BYTES;
                fetch(scratch, offset, from, Math.min(PIECE_BYTES, size - from));
            });
            return scratch.map(arena);
        } catch (UncheckedIOException e) {
            throw new IOException("its copy in " + ScratchFile.folder() + " (TMPDIR): " + e.getMessage(), e);
        }
    }

    private void fetch(ScratchFile scratch, long offset, long from, long length) {
        try (var memory = Arena.ofConfined()) {
            MemorySegment part = memory.allocate(length);
            path.read(object, offset + from, part);
            scratch.write(from, part);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    @Override
    public synchronized long position() {
        return position;
    }

    @Override
    public synchronized FileChannel position(long to) {
        if (to != position) {
            closeStream();
        }
        position = to;
        return this;
    }

    @Override
    public long size() {
        return object.size();
    }

    private void closeStream() {
        if (stream != null) {
            stream.close();
            stream = null;
        }
    }

    @Override
    protected synchronized void implCloseChannel() {
        closeStream();
    }

    private StokerException refused() {
        return new StokerException("[" + path + "] an object on S3 is only read here");
    }

    @Override
    public int write(ByteBuffer from) {
        throw refused();
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) {
        throw refused();
    }

    @Override
    public int write(ByteBuffer from, long at) {
        throw refused();
    }

    @Override
    public FileChannel truncate(long size) {
        throw refused();
    }

    @Override
    public void force(boolean metaData) {}

    @Override
    public long transferTo(long from, long count, WritableByteChannel to) {
        throw refused();
    }

    @Override
    public long transferFrom(ReadableByteChannel from, long at, long count) {
        throw refused();
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long offset, long size) {
        throw refused();
    }

    @Override
    public FileLock lock(long offset, long size, boolean shared) {
        throw refused();
    }

    @Override
    public FileLock tryLock(long offset, long size, boolean shared) {
        throw refused();
    }
}
