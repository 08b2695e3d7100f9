package dev.stoker.block;

import dev.stoker.remote.RemoteObject;
import dev.stoker.remote.RemotePath;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an object on remote storage. A read that stands alone is one request for just its bytes. Reads that follow
 * each other are served from blocks in the {@link BlockCache}, of which the next ones are fetched ahead: so small values
 * become few large requests, with several under way. With a {@link DiskCache} all reads are served from blocks, so that
 * each is fetched once by a node. Any number of threads may read.
 */
public final class RemoteByteReader implements ByteReader, AutoCloseable {
    static final int BLOCK_BYTES = 1 << 20;
    /** Blocks that are fetched before they are asked for. */
    static final int AHEAD = 8;

    private static final long MOST_ON_HEAP = 16 << 20;
    /** So many reads one near the other make a run; fewer may be chance. */
    static final int RUN = 8;

    private final RemotePath path;
    private final RemoteObject object;
    private final BlockCache cache;
    private final @Nullable DiskCache disk;
    private final Runs runs = new Runs();

    /** With the cache on disk that the user wants, if any. */
    public RemoteByteReader(RemotePath path, RemoteObject object, BlockCache cache) {
        this(path, object, cache, DiskCache.of(System.getenv(DiskCache.VARIABLE)));
    }

    RemoteByteReader(RemotePath path, RemoteObject object, BlockCache cache, @Nullable DiskCache disk) {
        this.path = path;
        this.object = object;
        this.cache = cache;
        this.disk = disk;
    }

    public long size() {
        return object.size();
    }

    public String name() {
        return path.toString();
    }

    @Override
    public MemorySegment read(long offset, long length) {
        // Large values are not worth the heap.
        MemorySegment to = length <= MOST_ON_HEAP
                ? DecodedMemory.allocate(length)
                : Arena.ofAuto().allocate(length);
        read(offset, to);
        return to;
    }

    /** Reads what lies at a place. */
    public void read(long offset, MemorySegment to) {
        long length = to.byteSize();
        Objects.checkFromIndexSize(offset, length, object.size());
        if (length == 0) {
            return;
        }
        boolean isRun = runs.continues(offset, length);
        if (disk == null && (!isRun || length > BLOCK_BYTES)) {
            path.read(object, offset, to);
            return;
        }
        long last = ((isRun ? object.size() : offset + length) - 1) / BLOCK_BYTES;
        for (long done = 0; done < length; ) {
            long number = (offset + done) / BLOCK_BYTES;
            long from = (offset + done) % BLOCK_BYTES;
            fetch(number + 1, Math.min(number + AHEAD, last));
            MemorySegment block = block(number);
            long part = Math.min(length - done, block.byteSize() - from);
            MemorySegment.copy(block, from, to, done, part);
            done += part;
        }
    }

    private MemorySegment block(long number) {
        return cache.get(this, number, () -> {
            long start = number * BLOCK_BYTES;
            long length = Math.min(BLOCK_BYTES, object.size() - start);
            String version = path + " " + object.version();
            MemorySegment kept = disk == null ? null : disk.find(version, number, length);
            if (kept != null) {
                return kept;
            }
            MemorySegment block = DecodedMemory.allocate(length);
            path.read(object, start, block);
            if (disk != null) {
                disk.keep(version, number, block);
            }
            return block;
        });
    }

    /** Begins to fetch blocks that will be asked for. */
    private void fetch(long first, long last) {
        for (long next = first; next <= last; next++) {
            if (!cache.has(this, next)) {
                long wanted = next;
                Thread.ofVirtual().start(() -> {
                    try {
                        block(wanted);
                    } catch (RuntimeException e) {
                        // Whoever needs the block asks for it again, and gets the error.
                    }
                });
            }
        }
    }

    @Override
    public void close() {
        cache.forget(this);
    }

    /** Tells reads that follow each other, also where several threads each read on, or take turns. */
    private static final class Runs {
        private static final int KEPT = 16;

        private final long[] ends = new long[KEPT];
        private final int[] lengths = new int[KEPT];
        private int oldest;

        /** Whether a read belongs to a run of several. */
        synchronized boolean continues(long offset, long length) {
            for (int i = 0; i < KEPT; i++) {
                if (lengths[i] > 0 && Math.abs(offset - ends[i]) <= BLOCK_BYTES) {
                    ends[i] = Math.max(ends[i], offset + length);
                    lengths[i] = Math.min(RUN, lengths[i] + 1);
                    return lengths[i] == RUN;
                }
            }
            ends[oldest] = offset + length;
            lengths[oldest] = 1;
            oldest = (oldest + 1) % KEPT;
            return false;
        }
    }
}
