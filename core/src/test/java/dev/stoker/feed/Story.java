package dev.stoker.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.ledger.EpochReport;
import dev.stoker.ledger.Ledger;
import dev.stoker.ledger.LedgerCheck;
import dev.stoker.ledger.LedgerFormat;
import dev.stoker.ledger.Outcome;
import dev.stoker.order.Mix;
import dev.stoker.order.Order;
import dev.stoker.order.OrderFingerprint;
import dev.stoker.order.Position;
import dev.stoker.order.PositionFile;
import dev.stoker.order.RangeSet;
import dev.stoker.order.RankShare;
import dev.stoker.order.SampleRef;
import dev.stoker.order.SampleView;
import dev.stoker.order.Shard;
import dev.stoker.order.Subset;
import dev.stoker.order.TailPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * A seeded random job: some view, tail and last batch, run by launches of changing worlds and batch sizes, each of which
 * ends, is stopped with all ranks at the same step, or crashes with every rank somewhere else.
 *
 * <p>Two judges look at what was delivered: the ledgers, and an {@link Oracle} that knows nothing of shares, cursors or
 * ledgers. {@link FeedStory} tells such stories through files and threads.
 */
final class Story {
    private final Random random;
    private final Path directory;
    private final List<Path> ledgers = new ArrayList<>();
    /** The samples of each dataset of the view, and its weights, for the oracle. */
    private final List<Set<Long>> samples = new ArrayList<>();

    private final List<Long> weights = new ArrayList<>();
    private final SampleView view;
    private final OrderFingerprint identity;
    private final TailPolicy tail;
    private final LastBatch lastBatch;
    private final long epochs;
    private int crashes;

    /** Is told what was delivered, or left out on purpose. */
    private final Oracle oracle;

    private final Map<Long, Integer> leftOut = new HashMap<>();

    private enum End {
        DONE,
        STOPPED,
        CRASHED
    }

    /** How one rank of one launch ended. */
    private record Ending(long samples, Position position) {}

    Story(long seed, Path parent) throws IOException {
        this.random = new Random(seed);
        this.directory = Files.createDirectory(parent.resolve("story" + seed));
        this.view = randomView();
        this.oracle =
                new Oracle(samples, weights.stream().mapToLong(Long::longValue).toArray(), view.size());
        this.identity = new OrderFingerprint(random.nextLong(), view.size(), "story " + seed, view.name());
        this.tail = any(TailPolicy.values());
        this.lastBatch = random.nextInt(3) == 0 ? LastBatch.DROP : LastBatch.KEEP;
        this.epochs = 1L + random.nextInt(3);
    }

    /** Tells the story, judges it, and returns how many crashes there were. */
    int tell() throws IOException {
        Position position = Position.start(identity);
        for (int launch = 0; position.epoch() < epochs; launch++) {
            // In the end every job gets through.
            End end = launch > 5 ? End.DONE : any(End.values());
            position = launch(position, end);
        }
        oracle.judge(epochs);
        for (long epoch = 0; epoch < epochs; epoch++) {
            assertThat(oracle.repeated(epoch)).as("doubled in epoch " + epoch).isZero();
            assertThat(oracle.missing(epoch)).as("missing in epoch " + epoch).isZero();
            if (tail != TailPolicy.DROP && lastBatch == LastBatch.KEEP) {
                assertThat(leftOut.getOrDefault(epoch, 0)).isZero();
            }
        }
        judgeByLedgers();
        cleanUp();
        return crashes;
    }

    private SampleView randomView() {
        if (random.nextInt(4) > 0) {
            SampleView only = randomPart();
            weights.add(1L);
            return only;
        }
        List<Mix.Part> mixed = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            weights.add(1L + random.nextInt(9));
            mixed.add(new Mix.Part(randomPart(), weights.getLast()));
        }
        return random.nextBoolean() ? Mix.of(mixed) : new Mix(mixed, randomSize());
    }

    private SampleView randomPart() {
        if (random.nextInt(3) == 0) {
            return randomSubset();
        }
        int size = randomSize();
        samples.add(LongStream.range(0, size).boxed().collect(Collectors.toSet()));
        return SampleView.of(randomOrder(size));
    }

    private <T> T any(T[] choices) {
        return choices[random.nextInt(choices.length)];
    }

    private int randomSize() {
        return 1 + random.nextInt(random.nextInt(10) == 0 ? 400 : 60);
    }

    private Order randomOrder(long size) {
        return switch (random.nextInt(3)) {
            case 0 -> Order.sequential(size);
            case 1 -> Order.shuffled(size);
            default -> Order.blocks(size, 1 + random.nextInt(10), 1 + random.nextInt(5));
        };
    }

    private Subset randomSubset() {
        TreeSet<Long> chosen = new TreeSet<>();
        for (int i = randomSize(); i > 0; i--) {
            chosen.add(random.nextLong(500));
        }
        samples.add(chosen);
        RangeSet ranges = RangeSet.of(chosen.stream().mapToLong(Long::longValue).toArray());
        return new Subset(ranges, randomOrder(ranges.count()));
    }

    private Position launch(Position start, End end) throws IOException {
        int world = 1 + random.nextInt(random.nextInt(4) == 0 ? 9 : 4);
        int batch = 1 + random.nextInt(8);
        long steps = random.nextInt((int) view.size() * 2 / world + 2);
        List<Ending> endings = new ArrayList<>();
        for (int rank = 0; rank < world; rank++) {
            long limit = switch (end) {
                case DONE -> Long.MAX_VALUE;
                case STOPPED -> steps;
                // Ranks wait for each other now and then, so they are some steps apart, or far apart if they do not.
                case CRASHED -> steps + random.nextInt(random.nextInt(4) == 0 ? 100 : 10);
            };
            endings.add(run(start, new Shard(rank, world), batch, limit, end == End.CRASHED));
        }
        if (end == End.CRASHED) {
            crashes++;
            return saveAndLoad(LedgerCheck.of(ledgers).state());
        }
        // With a ragged tail some ranks deliver one sample less in an epoch, so that the same number of samples can
        // mean another step in the next one; then only the ledgers know where the job stands.
        boolean isInStep = endings.stream().allMatch(endings.getFirst()::equals);
        if (!isInStep) {
            assertThat(tail).as("ranks are out of step: " + endings).isEqualTo(TailPolicy.RAGGED);
            return saveAndLoad(LedgerCheck.of(ledgers).state());
        }
        Position stopped = endings.getFirst().position();
        if (random.nextInt(3) == 0) {
            assertThat(LedgerCheck.of(ledgers).state())
                    .as("the ledgers agree with the ranks")
                    .isEqualTo(stopped);
        }
        return saveAndLoad(stopped);
    }

    private Position saveAndLoad(Position position) throws IOException {
        Path file = directory.resolve("state");
        PositionFile.save(file, position);
        return PositionFile.load(file, identity);
    }

    /** One rank, until the job is done or it has delivered {@code limit} samples. */
    private Ending run(Position start, Shard shard, int batch, long limit, boolean isCrash) throws IOException {
        Path file = directory.resolve("ledger" + shard.rank());
        if (!ledgers.contains(file)) {
            ledgers.add(file);
        }
        long samples = 0;
        Position position = start;
        try (Ledger ledger = Ledger.open(file, identity, shard)) {
            ledger.epoch(position.epoch());
            while (position.epoch() < epochs) {
                long epoch = position.epoch();
                ledger.epoch(epoch);
                RankShare share = position.share(shard, tail);
                long delivered = lastBatch.delivered(share.count(), batch);
                for (long k = 0; k < delivered; k++) {
                    if (samples == limit) {
                        ledger.flush();
                        return new Ending(samples, position.after(share, k));
                    }
                    note(ledger, share.isPadding(k) ? Outcome.PADDED : Outcome.DELIVERED, epoch, share.position(k));
                    samples++;
                    if ((k + 1) % batch == 0) {
                        ledger.flush();
                    }
                }
                for (long k = delivered; k < share.owned(); k++) {
                    note(ledger, Outcome.DROPPED, epoch, share.position(k));
                }
                position = position.nextEpoch();
            }
        } finally {
            if (isCrash && random.nextBoolean()) {
                byte[] torn = new byte[random.nextInt(LedgerFormat.RECORD)];
                random.nextBytes(torn);
                Files.write(file, torn, StandardOpenOption.APPEND);
            }
        }
        return new Ending(samples, position);
    }

    private void note(Ledger ledger, Outcome outcome, long epoch, long position) {
        ledger.record(outcome, position);
        if (outcome != Outcome.PADDED) {
            SampleRef place = view.at(identity.seed(), epoch, position);
            oracle.note(epoch, position, place.dataset(), place.sample());
        }
        if (outcome == Outcome.DROPPED) {
            leftOut.merge(epoch, 1, Integer::sum);
        }
    }

    private void judgeByLedgers() {
        LedgerCheck check = LedgerCheck.of(ledgers);
        List<EpochReport> reports = check.reports();
        assertThat(reports).hasSize((int) epochs).allMatch(EpochReport::isExactlyOnce);
        for (EpochReport report : reports) {
            assertThat(report.dropped())
                    .isEqualTo(leftOut.getOrDefault(report.epoch(), 0).longValue());
        }
        assertThat(check.state()).isEqualTo(new Position(identity, epochs, 0, RangeSet.EMPTY));
    }

    private void cleanUp() throws IOException {
        try (var files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
