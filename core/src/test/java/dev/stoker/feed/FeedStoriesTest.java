package dev.stoker.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.TestSeed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Seeded random jobs through real files and feeds with threads: launches of changing worlds, batch sizes and threads
 * that end, stop in step, or die anywhere; judged by the ledgers and by plain counts.
 */
class FeedStoriesTest {
    private static final int STORIES = 200;

    @TempDir(factory = InMemory.class)
    private Path folder;

    @Test
    void everySampleIsDeliveredExactlyOnce() throws IOException {
        long seed = TestSeed.random("FeedStoriesTest").nextLong(1L << 40);
        for (int i = 0; i < STORIES; i++) {
            try {
                tell(seed + i);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("story with seed " + (seed + i), e);
            }
        }
    }

    private void tell(long seed) throws IOException {
        var random = new Random(seed);
        Path home = Files.createDirectory(folder.resolve("story" + seed));
        int count = 1 + random.nextInt(60);
        Path one = RandomSamples.pack(home.resolve("one.stk"), seed, count, 200);
        Path two = RandomSamples.pack(home.resolve("two.stk"), seed + 1, 1 + random.nextInt(20), 200);
        long epochs = 1L + random.nextInt(3);
        Tail tail = Tail.values()[random.nextInt(3)];
        var ledgers = new ArrayList<Path>();
        Path state = home.resolve("state");
        var counts = new HashMap<List<Long>, Integer>();
        try (var data = Dataset.open(one, two)) {
            for (int launch = 0; ; launch++) {
                boolean isLast = launch > 4;
                int world = 1 + random.nextInt(4);
                boolean crashes = !isLast && random.nextBoolean();
                long steps = isLast ? Long.MAX_VALUE : random.nextInt((int) data.count() * 2 / world + 2);
                var ends = new ArrayList<Position>();
                for (int rank = 0; rank < world; rank++) {
                    Path ledger = home.resolve("ledger" + rank);
                    if (!ledgers.contains(ledger)) {
                        ledgers.add(ledger);
                    }
                    FeedBuilder builder = data.feed()
                            .batch(1 + random.nextInt(9))
                            .shuffle(seed)
                            .shard(rank, world)
                            .tail(tail)
                            .threads(1 + random.nextInt(3))
                            .ahead(1 + random.nextInt(3))
                            .epochs(epochs)
                            .ledger(ledger)
                            .resume(state);
                    if (!crashes) {
                        builder.stopAfter(steps);
                    }
                    ends.add(run(builder, crashes ? random.nextInt(12) : Integer.MAX_VALUE, counts));
                    if (crashes && random.nextBoolean()) {
                        var torn = new byte[random.nextInt(LedgerFormat.RECORD)];
                        random.nextBytes(torn);
                        Files.write(ledger, torn, StandardOpenOption.APPEND);
                    }
                }
                boolean inStep = !crashes && ends.stream().allMatch(ends.getFirst()::equals);
                Position position =
                        inStep ? ends.getFirst() : LedgerCheck.of(ledgers).state();
                PositionFile.save(state, position);
                if (position.epoch() >= epochs) {
                    break;
                }
            }
            judge(data.count(), epochs, tail, ledgers, counts);
        }
    }

    /** Drains a feed, or leaves it after some batches as a killed process would, with others read ahead. */
    private static Position run(FeedBuilder builder, int batches, Map<List<Long>, Integer> counts) {
        try (Feed feed = builder.start()) {
            for (int i = 0; i < batches && feed.hasNext(); i++) {
                Batch batch = feed.next();
                for (int row = 0; row < batch.size(); row++) {
                    counts.merge(List.of(batch.epoch(), batch.sample(row)), 1, Integer::sum);
                }
            }
            return feed.position();
        }
    }

    private static void judge(long size, long epochs, Tail tail, List<Path> ledgers, Map<List<Long>, Integer> counts) {
        List<EpochReport> reports = LedgerCheck.of(ledgers).reports();
        assertThat(reports).hasSize((int) epochs).allMatch(EpochReport::isExactlyOnce);
        for (EpochReport report : reports) {
            long delivered = 0;
            long distinct = 0;
            for (long sample = 0; sample < size; sample++) {
                int times = counts.getOrDefault(List.of(report.epoch(), sample), 0);
                delivered += times;
                distinct += times > 0 ? 1 : 0;
            }
            assertThat(delivered).isEqualTo(report.delivered() + report.padded());
            assertThat(distinct).isEqualTo(size - report.dropped());
            if (tail != Tail.DROP) {
                assertThat(report.dropped()).isZero();
            }
        }
    }
}
