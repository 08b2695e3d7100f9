package dev.stoker.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.dataset.Dataset;
import dev.stoker.ledger.EpochReport;
import dev.stoker.ledger.LedgerCheck;
import dev.stoker.ledger.LedgerFormat;
import dev.stoker.order.Mix;
import dev.stoker.order.Order;
import dev.stoker.order.Position;
import dev.stoker.order.PositionFile;
import dev.stoker.order.RangeSet;
import dev.stoker.order.SampleView;
import dev.stoker.order.Subset;
import dev.stoker.order.TailPolicy;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A seeded random job through real files and feeds with threads: launches of changing worlds, batch sizes, threads and
 * ways of reading that end, stop in step, or die anywhere. Judged by the ledgers and by an {@link Oracle}; every value is
 * compared with what was packed.
 */
final class FeedStory implements AutoCloseable {
    private final Random random;
    private final Path home;
    private final Pool pool;
    private final List<List<Pool.File>> files = new ArrayList<>();
    private final List<Dataset> datasets = new ArrayList<>();
    private final List<Set<Long>> samples = new ArrayList<>();
    private final SampleView view;
    private final Oracle oracle;
    private final TailPolicy tail;
    private final LastBatch lastBatch;
    private final boolean oneDatasetEach;
    private final long epochs;
    private final List<Path> ledgers = new ArrayList<>();
    private final long jobSeed;
    private final Path state;
    private long repeatable;
    private long droppable;

    /** Files that stories share. */
    record Pool(List<File> files) {
        record File(Path path, RandomSamples samples) {}

        static Pool make(Path folder, long seed) {
            var random = new Random(seed);
            var files = new ArrayList<File>();
            for (int i = 0; i < 12; i++) {
                long count = 1L + random.nextInt(1 + 4 * i);
                files.add(new File(
                        RandomSamples.pack(folder.resolve(i + ".stk"), seed + i, count, 200),
                        new RandomSamples(seed + i, count, 200)));
            }
            return new Pool(files);
        }
    }

    FeedStory(long seed, Pool pool, Path folder) throws IOException {
        this.random = new Random(seed);
        this.pool = pool;
        this.home = Files.createDirectory(folder.resolve("feed-story" + seed));
        this.state = home.resolve("state");
        this.jobSeed = random.nextLong();
        this.tail = TailPolicy.values()[random.nextInt(3)];
        this.lastBatch = random.nextInt(4) == 0 ? LastBatch.DROP : LastBatch.KEEP;
        this.epochs = 1L + random.nextInt(3);
        int parts = random.nextInt(3) == 0 ? 2 + random.nextInt(2) : 1;
        var weights = new long[parts];
        var mixed = new ArrayList<Mix.Part>();
        for (int i = 0; i < parts; i++) {
            weights[i] = 1L + random.nextInt(5);
            mixed.add(new Mix.Part(randomPart(), weights[i]));
        }
        this.view = parts == 1 ? mixed.getFirst().view() : Mix.of(mixed, 1 + random.nextInt(3));
        this.oneDatasetEach = parts > 1 && random.nextBoolean();
        this.oracle = new Oracle(samples, weights, view.size());
    }

    /** Opens some files as a dataset; all of it, or a subset. */
    private SampleView randomPart() {
        var chosen = new ArrayList<Pool.File>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            chosen.add(pool.files.get(random.nextInt(pool.files.size())));
        }
        files.add(chosen);
        Dataset data = Dataset.open(chosen.stream().map(Pool.File::path).toList(), 1 + random.nextInt(4));
        datasets.add(data);
        long[] some = LongStream.range(0, data.count())
                .filter(_ -> random.nextInt(3) > 0)
                .toArray();
        boolean isSubset = some.length > 0 && random.nextInt(4) == 0;
        LongStream numbers = isSubset ? LongStream.of(some) : LongStream.range(0, data.count());
        samples.add(numbers.boxed().collect(Collectors.toSet()));
        Order order = randomOrder(samples.getLast().size());
        return isSubset ? new Subset(RangeSet.of(some), order) : SampleView.of(order);
    }

    private Order randomOrder(long size) {
        return switch (random.nextInt(4)) {
            case 0 -> Order.sequential(size);
            case 1 -> Order.blocks(size, 1 + random.nextInt(10), 1 + random.nextInt(5));
            default -> Order.shuffled(size);
        };
    }

    void tell() throws IOException {
        Position position = launch(0);
        for (int launch = 1; position.epoch() < epochs; launch++) {
            PositionFile.save(state, position);
            position = launch(launch);
        }
        judge();
    }

    private Position launch(int number) throws IOException {
        boolean isLast = number > 4; // in the end every job gets through
        int world = 1 + random.nextInt(4);
        int batch = 1 + random.nextInt(9);
        boolean crashes = !isLast && random.nextBoolean();
        long steps = isLast ? Long.MAX_VALUE : random.nextInt((int) view.size() * 2 / world + 2);
        repeatable += world - 1;
        droppable += world - 1 + (long) world * (batch - 1);
        var ends = new ArrayList<Position>();
        for (int rank = 0; rank < world; rank++) {
            Path ledger = home.resolve("ledger" + rank);
            if (!ledgers.contains(ledger)) {
                ledgers.add(ledger);
            }
            FeedBuilder builder = builder(batch).shard(rank, world).ledger(ledger);
            if (!crashes) {
                builder.stopAfter(steps);
            }
            ends.add(run(builder, crashes ? random.nextInt(12) : Integer.MAX_VALUE));
            if (crashes && random.nextBoolean()) {
                var torn = new byte[random.nextInt(LedgerFormat.RECORD)];
                random.nextBytes(torn);
                Files.write(ledger, torn, StandardOpenOption.APPEND);
            }
        }
        boolean isInStep = !crashes && ends.stream().allMatch(ends.getFirst()::equals);
        return isInStep ? ends.getFirst() : LedgerCheck.of(ledgers).state();
    }

    private FeedBuilder builder(int batch) {
        FeedBuilder builder = FeedBuilder.of(datasets, view)
                .seed(jobSeed)
                .batch(batch)
                .tail(tail)
                .lastBatch(lastBatch)
                .threads(1 + random.nextInt(3))
                .ahead(1 + random.nextInt(3))
                .read(ReadMode.values()[random.nextInt(ReadMode.values().length)])
                .epochs(epochs)
                .resume(state);
        return oneDatasetEach ? builder.oneDatasetEach() : builder;
    }

    /** Drains a feed, or leaves it after some batches as a killed process would, with others read ahead. */
    private Position run(FeedBuilder builder, int batches) {
        try (Feed feed = builder.start()) {
            for (int i = 0; i < batches && feed.hasNext(); i++) {
                Batch batch = feed.next();
                for (int row = 0; row < batch.size(); row++) {
                    oracle.note(batch.epoch(), batch.position(row), batch.dataset(row), batch.sample(row));
                    judgeValues(batch, row);
                }
            }
            return feed.position();
        }
    }

    private void judgeValues(Batch batch, int row) {
        long sample = batch.sample(row);
        int file = 0;
        List<Pool.File> of = files.get(batch.dataset(row));
        while (sample >= of.get(file).samples.count()) {
            sample -= of.get(file++).samples.count();
        }
        for (int f = 0; f < batch.schema().size(); f++) {
            assertThat(batch.value(row, f).toArray(ValueLayout.JAVA_BYTE))
                    .as("field %d of sample %d", f, batch.sample(row))
                    .isEqualTo(of.get(file).samples.value(sample, f));
        }
    }

    private void judge() {
        oracle.judge(epochs);
        List<EpochReport> reports = LedgerCheck.of(ledgers).reports();
        assertThat(reports).hasSize((int) epochs).allMatch(EpochReport::isExactlyOnce);
        for (EpochReport report : reports) {
            long missing = oracle.missing(report.epoch());
            long repeated = oracle.repeated(report.epoch());
            assertThat(view.size() - missing + repeated).isEqualTo(report.delivered() + report.padded());
            assertThat(report.padded()).isLessThanOrEqualTo(tail == TailPolicy.EVEN ? repeatable : 0);
            assertThat(report.dropped())
                    .isLessThanOrEqualTo(tail == TailPolicy.DROP || lastBatch == LastBatch.DROP ? droppable : 0);
            // What is left out at the end of a share may be just what another rank repeats as padding.
            assertThat(report.dropped() - missing).isBetween(0L, report.padded());
        }
    }

    @Override
    public void close() throws IOException {
        datasets.forEach(Dataset::close);
        try (var left = Files.newDirectoryStream(home)) {
            for (Path file : left) {
                Files.delete(file);
            }
        }
        Files.delete(home);
    }
}
