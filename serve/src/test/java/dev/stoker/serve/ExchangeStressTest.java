package dev.stoker.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.concurrent.Progress;
import dev.stoker.dataset.Dataset;
import dev.stoker.feed.Batch;
import dev.stoker.feed.BatchMemorySource;
import dev.stoker.feed.Feed;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Seed;
import dev.stoker.write.Packer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients of different speeds get batches through shared memory that each maps for itself, as a training process does,
 * while threads of the feeds fill the next ones, and keep batches for as long as they like; some begin again, some vanish.
 * Every sample has its number and its checksum in it. {@code -Dstoker.stress.rounds=N} makes it longer.
 */
class ExchangeStressTest {
    private static final int SAMPLES = 600;
    private static final int LARGEST = 6000;
    private static final int PAUSE_NANOS = 200_000;

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    @Test
    void noBatchIsTornOrDeliveredTwiceAndNoMemoryIsLeft() throws Exception {
        Path file = pack();
        RandomGenerator seeds = seed.random();
        for (int i = Integer.getInteger("stoker.stress.rounds", 12); i > 0; i--) {
            round(file, seeds.nextLong());
        }
    }

    private Path pack() {
        var samples = MemorySamples.of(new Field(Field.DATA, FieldType.of("bytes")));
        RandomGenerator random = seed.random();
        for (int i = 0; i < SAMPLES; i++) {
            samples.add((Object) ClientMemory.sample(i, random.nextInt(LARGEST)));
        }
        Path file = folder.resolve("samples.stk");
        var settings = new Packer.Settings(FormatOptions.NONE, 1, false, true, false);
        new Packer(samples.build(), Formats.named("stk"), file, settings, new Progress()).run();
        return file;
    }

    private static void round(Path file, long seed) throws Exception {
        int world = 1 + (int) Math.floorMod(seed, 4L);
        var seen = new ArrayList<Future<Set<Long>>>();
        var all = new HashSet<Long>();
        long delivered = 0;
        try (Dataset dataset = Dataset.open(file);
                var pool = Executors.newFixedThreadPool(world)) {
            for (int rank = 0; rank < world; rank++) {
                int own = rank;
                seen.add(pool.submit(() -> client(dataset, own, world, new SplittableRandom(seed + own))));
            }
            for (Future<Set<Long>> each : seen) {
                delivered += each.get().size();
                all.addAll(each.get());
            }
        } catch (Exception e) {
            throw new AssertionError("round with seed " + seed + ", " + world + " clients", e);
        }
        assertThat(all).as("no sample goes to two clients, seed %d", seed).hasSize(Math.toIntExact(delivered));
        assertThat(sharedMemory())
                .as("shared memory that is left, seed %d", seed)
                .isEmpty();
    }

    /** What is mapped, or open. */
    private static List<String> sharedMemory() throws IOException {
        var found = new ArrayList<String>();
        for (String line : Files.readAllLines(Path.of("/proc/self/maps"))) {
            if (line.contains("/memfd:stoker ")) {
                found.add(line);
            }
        }
        return found;
    }

    /** One client's life, from its session's side and its own; the samples that it got of the last epoch it began. */
    private static Set<Long> client(Dataset dataset, int rank, int world, SplittableRandom random) throws IOException {
        var blocks = new SharedBlocks();
        BatchMemorySource slow = bytes -> {
            pause(random.nextInt(8));
            return blocks.allocate(bytes);
        };
        int batch = random.nextInt(1, 40);
        int threads = random.nextInt(1, 5);
        int ahead = random.nextInt(1, 6);
        // From one batch at a time to as many as there are.
        long memoryLimit = (long) batch * (LARGEST + 64) * random.nextInt(1, 20);
        var got = new HashSet<Long>();
        try (var memory = new ClientMemory()) {
            var held = new ArrayList<Held>();
            for (int begun = 0; ; begun++) {
                got.clear();
                boolean isLast = begun == 2 || random.nextBoolean();
                try (Feed feed = Feed.of(dataset)
                        .batch(batch)
                        .shuffle(1)
                        .shard(rank, world)
                        .threads(threads)
                        .ahead(ahead)
                        .memory(slow)
                        .memory(memoryLimit)
                        .start()) {
                    long most = isLast && random.nextInt(4) > 0
                            ? Long.MAX_VALUE
                            : random.nextInt(SAMPLES / world / batch + 1);
                    for (long i = 0; i < most && feed.hasNext(); i++) {
                        giveSomeBack(feed, held, memory, random);
                        held.add(deliver(feed, blocks, memory, got));
                        pause(random.nextInt(8));
                    }
                }
                // Also after the feed is closed, what is held is what it was.
                held.forEach(each -> each.requireUnchanged(memory));
                held.clear();
                if (isLast) {
                    return got;
                }
            }
        }
    }

    /** A batch that the client keeps. */
    private record Held(SharedBlocks.Block block, byte[] payload, List<Long> numbers) {
        void requireUnchanged(ClientMemory memory) {
            assertThat(memory.read(payload)).as("a batch that is held").isEqualTo(numbers);
        }
    }

    private static void giveSomeBack(Feed feed, List<Held> held, ClientMemory memory, SplittableRandom random) {
        while (!held.isEmpty() && random.nextInt(3) > 0) {
            Held back = held.remove(random.nextInt(held.size()));
            back.requireUnchanged(memory);
            feed.giveBack(back.block);
        }
    }

    /** What {@link Session} does for a request, and what the client does then. */
    private static Held deliver(Feed feed, SharedBlocks blocks, ClientMemory memory, Set<Long> got) throws IOException {
        Batch batch = feed.next();
        SharedBlocks.Block block = Objects.requireNonNull(blocks.at(batch.memory()));
        int size = batch.size();
        byte[] payload = BatchMessage.of(batch, block.number(), blocks.takeFreed(), false, "{}")
                .message(false)
                .payload();
        feed.keep();
        List<Long> numbers = memory.receive(payload, block.memory().file());
        block.memory().closeFile();
        assertThat(numbers).hasSize(size);
        for (Long number : numbers) {
            assertThat(got.add(number)).as("sample %d comes once", number).isTrue();
        }
        return new Held(block, payload, numbers);
    }

    private static void pause(int slowness) {
        if (slowness == 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
        } else if (slowness < 3) {
            LockSupport.parkNanos(1);
        }
    }
}
