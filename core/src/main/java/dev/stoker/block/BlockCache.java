package dev.stoker.block;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decoded and remote blocks of all open containers, bounded by bytes. Each block is decoded by the thread that asks for it first;
 * others that ask meanwhile wait for that one. A block that cannot be decoded is not kept: who asks for it gets the
 * error, everyone else goes on.
 *
 * <p>Threads: an entry belongs to the thread that put it into the map until its future is complete; from then on its
 * memory is only read, by anyone, for as long as they like. Whoever takes an entry out of the clock, and only that one,
 * takes its bytes off the sum. So the sum passes the limit by no more than the blocks that are just being added, one for
 * each thread, or by one that is larger than the limit by itself. A block that is still being decoded when its reader
 * is closed is kept like any other, until it is thrown out.
 *
 * <p>The oldest block that was not used since the clock's hand last passed it is thrown out first, so that reading
 * everything once does not push out what is read again and again.
 */
public final class BlockCache {
    /** The one cache of this process: an eighth of the memory that the JVM may use. */
    public static final BlockCache SHARED = new BlockCache(Runtime.getRuntime().maxMemory() / 8);

    private final long limit;
    private final ConcurrentHashMap<Key, Entry> entries = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Entry> clock = new ConcurrentLinkedQueue<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong decodings = new AtomicLong();
    private final LongAdder decodeNanos = new LongAdder();
    private final LongAdder hits = new LongAdder();

    /** A block of one reader; readers are told apart by identity. */
    private record Key(ByteReader reader, long block) {}

    private static final class Entry {
        final Key key;
        final CompletableFuture<MemorySegment> decoded = new CompletableFuture<>();
        volatile boolean isUsed;

        Entry(Key key) {
            this.key = key;
        }
    }

    public BlockCache(long limit) {
        this.limit = limit;
    }

    MemorySegment get(ByteReader reader, long block, Supplier<MemorySegment> decode) {
        var key = new Key(reader, block);
        Entry entry = entries.get(key);
        if (entry == null) {
            var mine = new Entry(key);
            entry = entries.putIfAbsent(key, mine);
            if (entry == null) {
                return fill(mine, decode);
            }
        }
        entry.isUsed = true;
        hits.increment();
        try {
            return entry.decoded.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof Error cause) {
                throw cause;
            }
            throw e;
        }
    }

    private MemorySegment fill(Entry entry, Supplier<MemorySegment> decode) {
        try {
            decodings.incrementAndGet();
            long before = System.nanoTime();
            MemorySegment decoded = decode.get();
            decodeNanos.add(System.nanoTime() - before);
            entry.decoded.complete(decoded);
            bytes.addAndGet(decoded.byteSize());
            clock.add(entry);
            evict(decoded.byteSize());
            return decoded;
        } catch (RuntimeException | Error e) {
            // Out of the map first: who comes after this tries again, who waits already gets the error.
            entries.remove(entry.key, entry);
            entry.decoded.completeExceptionally(e);
            throw e;
        }
    }

    /**
     * Throws out what is too much. A block that is larger than the limit is kept too, alone: else it would be decoded for
     * each of its values.
     *
     * @param newest how many bytes were just added
     */
    private void evict(long newest) {
        while (bytes.get() > Math.max(limit, newest)) {
            @Nullable Entry oldest = clock.poll();
            if (oldest == null) {
                return;
            }
            if (oldest.isUsed && entries.get(oldest.key) == oldest) {
                oldest.isUsed = false;
                clock.add(oldest);
            } else {
                bytes.addAndGet(-oldest.decoded.join().byteSize());
                entries.remove(oldest.key, oldest);
            }
        }
    }

    /** Whether a block is there, or being fetched. */
    boolean has(ByteReader reader, long block) {
        return entries.containsKey(new Key(reader, block));
    }

    /** Forgets the blocks of a reader that is being closed. */
    void forget(ByteReader reader) {
        for (Entry entry : clock) {
            if (entry.key.reader().equals(reader) && clock.remove(entry)) {
                bytes.addAndGet(-entry.decoded.join().byteSize());
            }
        }
        entries.keySet().removeIf(key -> key.reader().equals(reader));
    }

    /** Bytes of decoded blocks that are kept now. */
    public long bytes() {
        return bytes.get();
    }

    /** How often a block that was wanted was there, or being decoded already. */
    public long hits() {
        return hits.sum();
    }

    /** How long threads decoded blocks, all together. */
    public long decodeNanos() {
        return decodeNanos.sum();
    }

    /** How often a block was decoded since the program started. */
    public long decodings() {
        return decodings.get();
    }
}
