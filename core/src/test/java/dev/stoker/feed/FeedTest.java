package dev.stoker.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.dataset.Dataset;
import dev.stoker.io.LittleEndian;
import dev.stoker.ledger.EpochReport;
import dev.stoker.ledger.LedgerCheck;
import dev.stoker.order.Mix;
import dev.stoker.order.Order;
import dev.stoker.order.Position;
import dev.stoker.order.PositionFile;
import dev.stoker.order.SampleView;
import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FeedTest {
    private static final int KEY = 0;
    private static final int DATA = 1;
    private static final int LABEL = 2;
    private static final int GRID = 3;

    @TempDir
    private Path folder;

    private Path pack(String name, long seed, long count) {
        return RandomSamples.pack(folder.resolve(name), seed, count, 3000);
    }

    @ParameterizedTest
    @EnumSource(ReadMode.class)
    void everyValueIsWhatWasPackedWhateverTheThreads(ReadMode mode) {
        Path file = pack("a.stk", 1, 333);
        var expected = new RandomSamples(1, 333, 3000);
        List<Long> order = null;
        for (int threads : new int[] {1, 2, 7}) {
            var samples = new ArrayList<Long>();
            try (var data = Dataset.open(file);
                    var feed = Feed.of(data)
                            .batch(10)
                            .shuffle(7)
                            .threads(threads)
                            .read(mode)
                            .epochs(2)
                            .verify(true)
                            .start()) {
                for (Batch batch : feed) {
                    for (int i = 0; i < batch.size(); i++) {
                        samples.add(batch.sample(i));
                        for (int f = 0; f < batch.schema().size(); f++) {
                            assertThat(batch.value(i, f).toArray(ValueLayout.JAVA_BYTE))
                                    .isEqualTo(expected.value(batch.sample(i), f));
                        }
                        assertThat(batch.shape(i, GRID)).isEqualTo(expected.shape(batch.sample(i), GRID));
                    }
                }
            }
            assertThat(samples).hasSize(666);
            assertThat(new TreeSet<>(samples.subList(0, 333))).hasSize(333);
            assertThat(samples.subList(0, 333)).isNotEqualTo(samples.subList(333, 666));
            if (order != null) {
                assertThat(samples).isEqualTo(order);
            }
            order = samples;
        }
    }

    @Test
    void batchesAreAlignedAndDenseOrWithOffsets() {
        try (var data = Dataset.open(pack("a.stk", 1, 50));
                var feed = Feed.of(data).batch(16).start()) {
            Batch batch = feed.next();
            for (int f = 0; f < batch.schema().size(); f++) {
                assertThat(batch.values(f).address() % 64).isZero();
            }
            assertThat(batch.isDense(LABEL)).isTrue();
            assertThat(batch.stride(LABEL)).isEqualTo(8);
            assertThat(batch.values("label").byteSize()).isEqualTo(16 * 8);
            MemorySegment offsets = batch.offsets(DATA);
            assertThat(offsets.byteSize()).isEqualTo(17 * 8);
            for (int i = 0; i < 16; i++) {
                long from = offsets.get(LittleEndian.U64, 8L * i);
                long to = offsets.get(LittleEndian.U64, 8L * (i + 1));
                assertThat(batch.values(DATA).asSlice(from, to - from).mismatch(batch.value(i, DATA)))
                        .isEqualTo(-1);
            }
            assertThat(batch.text(3, KEY)).isEqualTo("sample-3.bin");
            assertThatThrownBy(() -> batch.stride(DATA)).hasMessageContaining("its values have offsets");
            feed.next();
            assertThatThrownBy(batch::size)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("valid until the feed's next batch");
        }
    }

    @Test
    void paddingMakesAFieldDense() {
        var expected = new RandomSamples(1, 40, 3000);
        try (var data = Dataset.open(pack("a.stk", 1, 40))) {
            try (var feed = Feed.of(data).batch(8).pad("data").fields("data").start()) {
                for (Batch batch : feed) {
                    long stride = batch.stride(0);
                    for (int i = 0; i < batch.size(); i++) {
                        byte[] value = expected.value(batch.sample(i), DATA);
                        byte[] padded =
                                batch.values(0).asSlice(i * stride, stride).toArray(ValueLayout.JAVA_BYTE);
                        assertThat(padded).isEqualTo(java.util.Arrays.copyOf(value, (int) stride));
                        assertThat(batch.value(i, 0).byteSize()).isEqualTo(value.length);
                    }
                }
            }
            try (var feed = Feed.of(data).batch(8).pad("data", 4096).start()) {
                assertThat(feed.next().stride(DATA)).isEqualTo(4096);
            }
            try (var feed = Feed.of(data).batch(40).pad("data", 100).start()) {
                assertThatThrownBy(feed::next).hasMessageContaining("more than the 100 that values are padded to");
            }
            assertThatThrownBy(() -> Feed.of(data).pad("grid").start())
                    .hasMessageContaining("only values of one dimension");
            assertThatThrownBy(() -> Feed.of(data).pad("grit").start())
                    .hasMessage("no field 'grit'; the fields are key, data, label, grid, wide; did you mean 'grid'?");
        }
    }

    /** Writes the length of the value and what its randomness comes from. */
    private static final class Lengths implements Decoder {
        @Override
        public FieldType.Tensor output() {
            return new FieldType.Tensor(DType.INT64, List.of(4L));
        }

        @Override
        public void decode(
                MemorySegment encoded, MemorySegment batch, long offset, long seed, long epoch, long sample) {
            if (sample == 13) {
                throw new IllegalArgumentException("thirteen");
            }
            long[] values = {encoded.byteSize(), seed, epoch, sample};
            for (int i = 0; i < values.length; i++) {
                batch.set(LittleEndian.U64, offset + 8L * i, values[i]);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ReadMode.class,
            names = {"MAP", "PREAD", "DIRECT"})
    void aDecoderFillsItsPlace(ReadMode mode) {
        var expected = new RandomSamples(1, 40, 3000);
        try (var data = Dataset.open(pack("a.stk", 1, 40));
                var feed = Feed.of(data)
                        .batch(7)
                        .shuffle(5)
                        .read(mode)
                        .decode("data", Lengths::new)
                        .bad(BadPolicy.SKIP)
                        .start()) {
            int count = 0;
            for (Batch batch : feed) {
                assertThat(batch.schema().type(DATA).label()).isEqualTo("int64[4]");
                for (int i = 0; i < batch.size(); i++, count++) {
                    MemorySegment value = batch.value(i, DATA);
                    assertThat(value.get(LittleEndian.U64, 0)).isEqualTo(expected.length(batch.sample(i), DATA));
                    assertThat(value.get(LittleEndian.U64, 8)).isEqualTo(5);
                    assertThat(value.get(LittleEndian.U64, 24))
                            .isEqualTo(batch.sample(i))
                            .isNotEqualTo(13);
                }
            }
            assertThat(count).isEqualTo(39);
            assertThat(feed.badSamples()).singleElement().isEqualTo(new BadSample(0, 13, "thirteen"));
        }
    }

    private static void damage(Path file, long sample) throws IOException {
        long offset;
        try (var container = dev.stoker.container.Container.open(file)) {
            offset = container.column(DATA).offset(sample);
        }
        try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, offset);
            channel.write(ByteBuffer.wrap(new byte[] {(byte) ~one.get(0)}), offset);
        }
    }

    @Test
    void badSamplesFailOrAreLeftOutOrReplacedAndTheOthersStayInOrder() throws IOException {
        Path file = pack("a.stk", 3, 60);
        var good = new ArrayList<Long>();
        try (var data = Dataset.open(file);
                var feed = Feed.of(data).batch(8).shuffle(2).start()) {
            feed.forEach(batch -> addSamples(batch, good));
        }
        damage(file, 17);
        damage(file, 40);
        try (var data = Dataset.open(file)) {
            try (var feed = Feed.of(data).batch(8).shuffle(2).verify(true).start()) {
                assertThatThrownBy(() -> feed.forEach(batch -> {}))
                        .isInstanceOf(CorruptContainerException.class)
                        .hasMessageMatching(".*a.stk] sample (17|40), byte \\d+: field 'data': checksum should be .*");
            }
            Path ledger = folder.resolve("ledger");
            try (var feed = Feed.of(data)
                    .batch(8)
                    .shuffle(2)
                    .threads(3)
                    .bad(BadPolicy.SKIP)
                    .ledger(ledger)
                    .start()) {
                var samples = new ArrayList<Long>();
                feed.forEach(batch -> addSamples(batch, samples));
                assertThat(samples)
                        .isEqualTo(good.stream().filter(s -> s != 17 && s != 40).toList());
                assertThat(feed.badSamples()).extracting(BadSample::sample).containsExactly(17L, 40L);
            }
            EpochReport report = LedgerCheck.of(List.of(ledger)).reports().getFirst();
            assertThat(report.isExactlyOnce()).isTrue();
            assertThat(report.bad()).isEqualTo(2);
            assertThat(report.delivered()).isEqualTo(58);
            try (var feed =
                    Feed.of(data).batch(8).shuffle(2).bad(BadPolicy.SUBSTITUTE).start()) {
                var samples = new ArrayList<Long>();
                feed.forEach(batch -> addSamples(batch, samples));
                var replaced = new ArrayList<Long>();
                for (int i = 0; i < good.size(); i++) {
                    long sample = good.get(i);
                    for (int step = 1; sample == 17 || sample == 40; step++) {
                        sample = good.get((i + step) % good.size());
                    }
                    replaced.add(sample);
                }
                assertThat(samples).isEqualTo(replaced);
            }
        }
    }

    @Test
    void whoGoesOnAtTheEndWritesNothingIntoTheLedger() {
        Path ledger = folder.resolve("ledger");
        try (var data = Dataset.open(pack("a.stk", 1, 60))) {
            Position end;
            try (var feed =
                    Feed.of(data).batch(8).shuffle(2).epochs(2).ledger(ledger).start()) {
                feed.forEach(batch -> {});
                end = feed.position();
            }
            try (var feed = Feed.of(data)
                    .batch(8)
                    .shuffle(2)
                    .epochs(2)
                    .from(end)
                    .ledger(ledger)
                    .start()) {
                assertThat(feed.hasNext()).isFalse();
            }
        }
        assertThat(LedgerCheck.of(List.of(ledger)).reports()).hasSize(2).allMatch(EpochReport::isExactlyOnce);
    }

    private static void addSamples(Batch batch, List<Long> to) {
        for (int i = 0; i < batch.size(); i++) {
            to.add(batch.sample(i));
        }
    }

    @Test
    void aFileThatShrinksIsNamedAndTheProcessLives() throws IOException {
        for (ReadMode mode : new ReadMode[] {ReadMode.MAP, ReadMode.PREAD, ReadMode.DIRECT}) {
            Path file = RandomSamples.pack(folder.resolve(mode + ".stk"), 1, 400, 30_000);
            try (var data = Dataset.open(file);
                    var feed = Feed.of(data).batch(4).ahead(1).read(mode).start()) {
                feed.next();
                try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(channel.size() / 2);
                }
                assertThatThrownBy(() -> feed.forEach(batch -> {}))
                        .isInstanceOf(CorruptContainerException.class)
                        .hasMessageContaining(mode + ".stk")
                        .hasMessageContaining("it became shorter");
            }
        }
    }

    @Test
    void aFeedThatCannotBeginHasNoEnd() throws Exception {
        Path file = pack("a.stk", 1, 400);
        try (var data = Dataset.open(file)) {
            try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(channel.size() / 2);
            }
            Thread.sleep(1100); // the time is what is tested: files are looked at once a second
            try (var feed = Feed.of(data).batch(4).start()) {
                Thread.sleep(100); // time for a thread of the feed to notice first, which nothing shows from outside
                assertThatThrownBy(() -> feed.forEach(batch -> {})).hasMessageContaining("changed while it was read");
            }
        }
    }

    @Test
    void aFileThatIsReplacedIsReported() throws Exception {
        Path file = pack("a.stk", 1, 400);
        try (var data = Dataset.open(file);
                var feed = Feed.of(data).batch(4).ahead(1).endless().start()) {
            feed.next();
            Files.move(pack("b.stk", 2, 400), file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            assertThatThrownBy(() -> {
                        long end = System.nanoTime() + 20_000_000_000L;
                        while (System.nanoTime() < end) {
                            feed.next();
                        }
                    })
                    .isInstanceOf(StokerException.class)
                    .hasMessageContaining("a.stk] changed while it was read");
        }
    }

    @Test
    void aFileThatIsWrittenIsReportedAtTheLatestAtTheEndOfTheEpoch() throws Exception {
        Path file = pack("a.stk", 1, 400);
        try (var data = Dataset.open(file);
                var feed = Feed.of(data).batch(4).epochs(1).start()) {
            feed.next();
            try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(new byte[1]), channel.size() - 1);
            }
            var delivered = new ArrayList<Long>();
            assertThatThrownBy(() -> feed.forEach(batch -> addSamples(batch, delivered)))
                    .isInstanceOf(StokerException.class)
                    .hasMessageContaining("a.stk] changed while it was read: it was written at another time");
            assertThat(delivered).hasSizeLessThanOrEqualTo(392);
        }
    }

    @Test
    void aSlowConsumerKeepsMemoryAsItIs() throws Exception {
        try (var data = Dataset.open(RandomSamples.pack(folder.resolve("a.stk"), 1, 500, 20_000));
                var feed = Feed.of(data)
                        .batch(10)
                        .memory(700_000)
                        .endless()
                        .shuffle(1)
                        .start()) {
            for (int i = 0; i < 300; i++) {
                feed.next();
                if (i % 100 == 0) {
                    Thread.sleep(20); // the consumer is slow: its time is what is tested
                }
                assertThat(feed.metrics().memoryBytes()).isLessThanOrEqualTo(700_000);
            }
        }
    }

    @Test
    void memoryIsUsedAgainThoughNotEveryBatchAheadCanHaveSome() {
        var allocations = new AtomicInteger();
        try (var data = Dataset.open(RandomSamples.pack(folder.resolve("a.stk"), 1, 6, 100_000));
                var feed = Feed.of(data)
                        .batch(1)
                        .threads(2)
                        .ahead(6)
                        .memory(350_000)
                        .memory(bytes -> {
                            allocations.incrementAndGet();
                            return BatchMemorySource.OWN.allocate(bytes);
                        })
                        .epochs(50)
                        .shuffle(1)
                        .start()) {
            feed.forEach(batch -> assertThat(batch.size()).isEqualTo(1));
            assertThat(allocations.get()).isLessThan(30); // of 300 batches: lengths differ
        }
    }

    @Test
    void aBatchThatDoesNotFitIsRefused() {
        try (var data = Dataset.open(pack("a.stk", 1, 100));
                var feed = Feed.of(data).batch(100).memory(50_000).start()) {
            assertThatThrownBy(feed::next)
                    .hasMessageContaining("a batch of 100 samples needs")
                    .hasMessageContaining("may have 50000 together");
        }
    }

    @Test
    void wrongUseIsRefused() {
        try (var data = Dataset.open(pack("a.stk", 1, 10));
                var other = Dataset.open(pack("b.stk", 2, 10))) {
            assertThatThrownBy(() -> Feed.of(data).batch(0))
                    .hasMessage("a batch should have at least 1 sample but has 0");
            assertThatThrownBy(() -> Feed.of(data).shard(3, 3))
                    .hasMessageContaining("less than the world, 3, but is 3");
            Path state = folder.resolve("state");
            PositionFile.save(state, Position.start(Feed.of(other).shuffle(1).identity()));
            assertThatThrownBy(() -> Feed.of(data).shuffle(1).resume(state))
                    .hasMessageContaining("dataset should be " + data.fingerprint() + " but is " + other.fingerprint());
            PositionFile.save(state, Position.start(Feed.of(data).shuffle(2).identity()));
            assertThatThrownBy(() -> Feed.of(data).shuffle(1).resume(state))
                    .hasMessageContaining("seed should be 1 but is 2");
            try (var feed =
                    Feed.of(data).batch(64).lastBatch(LastBatch.DROP).endless().start()) {
                assertThatThrownBy(feed::next)
                        .hasMessageContaining("has 10 samples per epoch, fewer than one batch of 64");
            }
        }
    }

    @Test
    void differentDatasetsAreJoinedOrTakeTurns() throws IOException {
        Path loose = Files.createDirectory(folder.resolve("loose"));
        for (int i = 0; i < 20; i++) {
            Files.writeString(loose.resolve("t%02d.txt".formatted(i)), "text " + i);
        }
        try (var one = Dataset.open(pack("a.stk", 1, 30));
                var two = Dataset.open(loose)) {
            List<Mix.Part> parts = List.of(
                    new Mix.Part(SampleView.of(Order.shuffled(30)), 3),
                    new Mix.Part(SampleView.of(Order.shuffled(20)), 2));
            try (var feed =
                    FeedBuilder.of(List.of(one, two), Mix.of(parts)).batch(9).start()) {
                Set<List<Long>> seen = new java.util.HashSet<>();
                for (Batch batch : feed) {
                    for (int i = 0; i < batch.size(); i++) {
                        boolean isLoose = batch.dataset(i) == 1;
                        assertThat(batch.isMissing(i, LABEL)).isEqualTo(isLoose);
                        assertThat(batch.isMissing(i, DATA)).isFalse();
                        assertThat(batch.text(i, KEY)).startsWith(isLoose ? "t" : "sample-");
                        if (isLoose) {
                            assertThat(batch.text(i, DATA)).isEqualTo("text " + batch.sample(i));
                            assertThat(batch.values(LABEL).get(LittleEndian.U64, 8L * i))
                                    .isZero();
                        }
                        seen.add(List.of((long) batch.dataset(i), batch.sample(i)));
                    }
                }
                assertThat(seen).hasSize(50);
            }
            try (var feed = FeedBuilder.of(List.of(one, two), Mix.of(parts, 5))
                    .batch(5)
                    .oneDatasetEach()
                    .start()) {
                var sizes = new int[2];
                for (Batch batch : feed) {
                    assertThat(batch.size()).isEqualTo(5);
                    for (int i = 1; i < batch.size(); i++) {
                        assertThat(batch.dataset(i)).isEqualTo(batch.dataset(0));
                    }
                    sizes[batch.dataset(0)] += batch.size();
                }
                assertThat(sizes).containsExactly(30, 20);
            }
        }
    }
}
