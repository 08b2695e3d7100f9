package dev.stoker.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.Schedule;
import dev.stoker.TestSeed;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/**
 * Threads of different speeds read the blocks of some containers through one cache, while decoding fails now and then,
 * blocks are thrown out, and one of the containers is closed again and again. Every block has its own checksum in it.
 */
class BlockCacheStressTest {
    private static final int MOST_CONTAINERS = 3;
    private static final int BLOCKS = 24;
    private static final int LARGEST = 3000;
    private static final int STEPS = 300;

    private final RandomGenerator seeds = TestSeed.random("BlockCacheStressTest");

    @Test
    void everyoneGetsTheRightBlockAndTheLimitHolds() throws Exception {
        for (int i = Schedule.rounds(60); i > 0; i--) {
            long seed = seeds.nextLong();
            new Round(seed, new SplittableRandom(seed).nextInt(LARGEST / 2, BLOCKS * LARGEST), true).run();
        }
    }

    @Test
    void whatFitsIsDecodedOnce() throws Exception {
        for (int i = Schedule.rounds(20); i > 0; i--) {
            var round = new Round(seeds.nextLong(), (long) MOST_CONTAINERS * BLOCKS * LARGEST, false);
            round.run();
            assertThat(round.decodings.values()).as(round.toString()).allMatch(n -> n.get() == 1);
        }
    }

    /** Only its identity counts. */
    private static final class Container implements ByteReader {
        @Override
        public MemorySegment read(long address, long length) {
            throw new AssertionError();
        }
    }

    private record Key(int container, int block) {}

    /** What decoding throws, on purpose. */
    private static final class Injected extends RuntimeException {
        private static final long serialVersionUID = 1;

        Injected(String message) {
            super(message);
        }
    }

    private static final class Round {
        final long seed;
        final int threads;
        final long limit;
        final List<Container> containers = new ArrayList<>();
        final ConcurrentHashMap<Key, AtomicInteger> decodings = new ConcurrentHashMap<>();
        final ConcurrentHashMap<Key, AtomicInteger> decoding = new ConcurrentHashMap<>();
        /** What each failed decoding threw, to be told apart from what came from elsewhere. */
        final ConcurrentHashMap<Throwable, Key> thrown = new ConcurrentHashMap<>();

        final BlockCache cache;
        /** Whether decoding fails now and then, and a container is closed. */
        volatile boolean isRough;

        Round(long seed, long limit, boolean isRough) {
            this.seed = seed;
            this.limit = limit;
            this.isRough = isRough;
            var random = new SplittableRandom(seed);
            threads = random.nextInt(2, 9);
            cache = new BlockCache(limit);
            for (int i = random.nextInt(2, MOST_CONTAINERS + 1); i > 0; i--) {
                containers.add(new Container());
            }
        }

        @Override
        public String toString() {
            return "round with seed " + seed + ", " + threads + " threads, limit " + limit;
        }

        void run() throws Exception {
            try (var pool = Executors.newFixedThreadPool(threads)) {
                var all = new ArrayList<Future<?>>();
                for (int t = 0; t < threads; t++) {
                    var schedule = new Schedule(seed + t);
                    all.add(pool.submit(() -> work(schedule)));
                }
                for (Future<?> each : all) {
                    each.get();
                }
            } catch (Exception e) {
                throw new AssertionError(toString(), e);
            }
            assertThat(cache.bytes()).as(toString()).isLessThanOrEqualTo(Math.max(limit, LARGEST));
            isRough = false;
            var quiet = new Schedule(seed);
            for (int c = 0; c < containers.size(); c++) {
                for (int b = 0; b < BLOCKS; b++) {
                    requireRight(new Key(c, b), get(new Key(c, b), quiet)); // no failure was kept
                }
            }
            containers.forEach(cache::forget);
            assertThat(cache.bytes()).as(toString()).isZero();
        }

        private void work(Schedule schedule) {
            for (int i = 0; i < STEPS; i++) {
                var key = new Key(schedule.pick(containers.size()), schedule.pick(1 + schedule.pick(BLOCKS)));
                if (isRough && schedule.pick(100) == 0) {
                    cache.forget(containers.getLast());
                }
                try {
                    MemorySegment block = get(key, schedule);
                    requireRight(key, block);
                    schedule.step();
                    requireRight(key, block); // also if it was thrown out meanwhile
                } catch (Injected | OutOfMemoryError e) {
                    assertThat(thrown).as("%s got %s", key, e).containsEntry(e, key);
                }
                assertThat(cache.bytes()).isBetween(0L, limit + (long) threads * LARGEST);
            }
        }

        private MemorySegment get(Key key, Schedule schedule) {
            schedule.step();
            return cache.get(containers.get(key.container), key.block, () -> decode(key, schedule));
        }

        private MemorySegment decode(Key key, Schedule schedule) {
            boolean isClosedAtTimes = isRough && key.container == containers.size() - 1;
            AtomicInteger busy = decoding.computeIfAbsent(key, k -> new AtomicInteger());
            decodings.computeIfAbsent(key, k -> new AtomicInteger()).incrementAndGet();
            try {
                assertThat(busy.incrementAndGet() == 1 || isClosedAtTimes)
                        .as("%s is decoded by one thread", key)
                        .isTrue();
                schedule.step();
                if (isRough && schedule.pick(20) == 0) {
                    throw failure(key, schedule.pick(2) == 0);
                }
                return block(key);
            } finally {
                busy.decrementAndGet();
            }
        }

        private Injected failure(Key key, boolean isError) {
            if (isError) {
                var error = new OutOfMemoryError("on purpose");
                thrown.put(error, key);
                throw error;
            }
            var failure = new Injected(key.toString());
            thrown.put(failure, key);
            return failure;
        }
    }

    private static int checksum(byte[] bytes) {
        var crc = new CRC32C();
        crc.update(bytes, Integer.BYTES, bytes.length - Integer.BYTES);
        return (int) crc.getValue();
    }

    private static MemorySegment block(Key key) {
        var random = new SplittableRandom(key.hashCode());
        var bytes = new byte[random.nextInt(3 * Integer.BYTES, LARGEST)];
        random.nextBytes(bytes);
        ByteBuffer.wrap(bytes).putInt(4, key.container).putInt(8, key.block).putInt(0, checksum(bytes));
        return MemorySegment.ofArray(bytes);
    }

    private static void requireRight(Key key, MemorySegment block) {
        byte[] bytes = (byte[]) block.heapBase().orElseThrow();
        ByteBuffer numbers = ByteBuffer.wrap(bytes);
        assertThat(new Key(numbers.getInt(4), numbers.getInt(8))).isEqualTo(key);
        assertThat(numbers.getInt(0)).isEqualTo(checksum(bytes));
    }
}
