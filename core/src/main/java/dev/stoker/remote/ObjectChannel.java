package dev.stoker.remote;

import dev.stoker.StokerException;
import dev.stoker.io.ScratchFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * An object as an open file, for reading. What is mapped is fetched: a little into memory, much into a scratch file by
 * many requests at once. Reads from front to back, as of a stream, share one request.
 */
final class ObjectChannel extends FileChannel {
    private static final long SMALL = 16 << 20;
    private static final long PIECE_BYTES = 16 << 20;
    private static final int CONNECTIONS = 16;

    private final RemotePath path;
    private final RemoteObject object;
    private long position;
    private RemotePath.@Nullable Reader stream;

    ObjectChannel(RemotePath path, RemoteObject object) {
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
            fetch(scratch, offset, size);
            return scratch.map(arena);
        }
    }

    /** Fetches all pieces by some threads; the first failure keeps those from beginning that were not begun. */
    private void fetch(ScratchFile scratch, long offset, long size) throws IOException {
        var pieces = new ArrayList<Future<?>>();
        try (var threads = Executors.newFixedThreadPool(CONNECTIONS)) {
            for (long from = 0; from < size; from += PIECE_BYTES) {
                long start = from;
                pieces.add(threads.submit(() -> {
                    fetchPiece(scratch, offset, start, Math.min(PIECE_BYTES, size - start));
                    return null;
                }));
            }
            for (Future<?> piece : pieces) {
                await(piece, threads);
            }
        }
    }

    private void await(Future<?> piece, ExecutorService threads) throws IOException {
        try {
            piece.get();
        } catch (ExecutionException e) {
            threads.shutdownNow();
            switch (e.getCause()) {
                case IOException cause ->
                    throw new IOException(
                            "its copy in " + ScratchFile.folder() + " (TMPDIR): " + cause.getMessage(), cause);
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                case null, default -> throw new IllegalStateException(e);
            }
        } catch (InterruptedException e) {
            threads.shutdownNow();
            Thread.currentThread().interrupt();
            throw new RemoteException("[" + path + "] interrupted while it was fetched", e);
        }
    }

    private void fetchPiece(ScratchFile scratch, long offset, long from, long length) throws IOException {
        try (var memory = Arena.ofConfined()) {
            MemorySegment part = memory.allocate(length);
            path.read(object, offset + from, part);
            scratch.write(from, part);
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
        return new StokerException(path, "what is on remote storage is only read here");
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
