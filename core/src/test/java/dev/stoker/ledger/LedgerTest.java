package dev.stoker.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.feed.InMemory;
import dev.stoker.order.OrderFingerprint;
import dev.stoker.order.Position;
import dev.stoker.order.PositionFile;
import dev.stoker.order.RangeSet;
import dev.stoker.order.Shard;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerTest {
    @TempDir(factory = InMemory.class)
    Path directory;

    private final OrderFingerprint identity =
            new OrderFingerprint(7, 100, "a dataset with a long fingerprint", "order 1 shuffled");

    private Path file(String name) {
        return directory.resolve(name);
    }

    /** A rank that delivers some positions of an epoch, flushing after every batch of ten. */
    private void deliver(Path file, Shard shard, long epoch, long from, long to) {
        try (Ledger ledger = Ledger.open(file, identity, shard)) {
            ledger.epoch(epoch);
            int n = 0;
            for (long position = from + shard.rank(); position < to; position += shard.world()) {
                ledger.record(Outcome.DELIVERED, position);
                if (++n % 10 == 0) {
                    ledger.flush();
                }
            }
        }
    }

    private EpochReport report(Path... files) {
        List<EpochReport> reports = LedgerCheck.of(List.of(files)).reports();
        assertThat(reports).hasSize(1);
        return reports.getFirst();
    }

    /** A restart at an earlier epoch renamed the ledger of a process that lived, before it asked for the lock. */
    @Test
    void aLedgerThatIsBeingWrittenKeepsItsName() {
        try (Ledger living = Ledger.open(file("l"), identity, new Shard(0, 1))) {
            living.epoch(1);
            living.record(Outcome.DELIVERED, 0);
            living.flush();
            for (long epoch = 0; epoch < 3; epoch++) {
                long other = epoch;
                assertThatThrownBy(() -> deliver(file("l"), new Shard(0, 1), other, 0, 10))
                        .isInstanceOf(StokerException.class)
                        .hasMessageContaining("another process is writing this ledger");
            }
            assertThat(file("l.e1")).doesNotExist();
        }
    }

    /** A mix of many datasets has the fingerprints of all. */
    @Test
    void aFingerprintMayBeLong() {
        var many = new OrderFingerprint(7, 100, "0123456789abcdef+".repeat(1000), "order 1 shuffled");
        for (int start = 0; start < 2; start++) {
            try (Ledger ledger = Ledger.open(file("l"), many, Shard.WHOLE)) {
                ledger.epoch(0);
                for (int i = 50 * start; i < 50 * start + 50; i++) {
                    ledger.record(Outcome.DELIVERED, i);
                }
            }
        }
        assertThat(report(file("l")).isExactlyOnce()).isTrue();
        assertThat(LedgerCheck.of(List.of(file("l"))).identity()).isEqualTo(many);
    }

    @Test
    void aFileThatIsReservedBeginsNoEpoch() throws IOException {
        deliver(file("l"), Shard.WHOLE, 2, 0, 100);
        byte[] before = Files.readAllBytes(file("l"));
        try (Ledger ledger = Ledger.open(file("l"), identity, Shard.WHOLE)) {
            ledger.reserve(Duration.ZERO);
            assertThatThrownBy(() -> deliver(file("l"), Shard.WHOLE, 2, 0, 10))
                    .hasMessageContaining("another process is writing this ledger");
        }
        assertThat(file("l")).hasBinaryContent(before);
        OrderFingerprint other = new OrderFingerprint(8, 100, identity.dataset(), identity.order());
        try (Ledger ledger = Ledger.open(file("l"), other, Shard.WHOLE)) {
            assertThatThrownBy(() -> ledger.reserve(Duration.ZERO)).hasMessageContaining("seed should be 8 but is 7");
        }
        try (Ledger ledger = Ledger.open(file("l"), identity, Shard.WHOLE)) {
            ledger.reserve(Duration.ZERO);
            ledger.epoch(3);
            ledger.record(Outcome.DELIVERED, 0);
        }
        assertThat(file("l.e2")).hasBinaryContent(before);
        assertThat(LedgerCheck.of(List.of(file("l"))).state()).isEqualTo(new Position(identity, 3, 1, RangeSet.EMPTY));
    }

    @Test
    void aFileIsWaitedForWhileItsWriterEnds() throws InterruptedException {
        Ledger ending = Ledger.open(file("l"), identity, Shard.WHOLE);
        ending.reserve(Duration.ZERO);
        try (Ledger next = Ledger.open(file("l"), identity, Shard.WHOLE)) {
            Thread waiting = Thread.ofPlatform().start(() -> next.reserve(Duration.ofMinutes(1)));
            while (waiting.getState() != Thread.State.TIMED_WAITING) {
                assertThat(waiting.isAlive()).isTrue();
                Thread.onSpinWait();
            }
            ending.close();
            waiting.join();
            next.epoch(0);
        }
        assertThat(LedgerCheck.of(List.of(file("l"))).identity()).isEqualTo(identity);
    }

    @Test
    void whatIsWithdrawnWasNeverThere() throws IOException {
        try (Ledger ledger = Ledger.open(file("l"), identity, Shard.WHOLE)) {
            ledger.epoch(0);
            ledger.record(Outcome.DELIVERED, 0);
            ledger.flush();
            ledger.withdraw();
        }
        assertThat(file("l")).isEmptyFile(); // not even the epoch was begun
        try (Ledger ledger = Ledger.open(file("l"), identity, Shard.WHOLE)) {
            ledger.epoch(0);
            for (int i = 0; i < 30; i++) {
                ledger.record(Outcome.DELIVERED, i);
                ledger.flush();
            }
            ledger.withdraw();
        }
        assertThat(LedgerCheck.of(List.of(file("l"))).state()).isEqualTo(new Position(identity, 0, 29, RangeSet.EMPTY));
        deliver(file("l"), Shard.WHOLE, 0, 29, 100);
        assertThat(report(file("l")).isExactlyOnce()).isTrue();
    }

    @Test
    void aPipeIsNotWaitedFor() throws IOException, InterruptedException {
        var _ = new ProcessBuilder("mkfifo", file("pipe").toString()).start().waitFor();
        assertThatThrownBy(() -> deliver(file("pipe"), new Shard(0, 1), 0, 0, 10))
                .hasMessageContaining("pipe] cannot be written: it is neither a file nor a folder");
        assertThatThrownBy(() -> report(file("pipe"))).hasMessageContaining("it is neither a file nor a folder");
        assertThatThrownBy(() -> PositionFile.load(file("pipe")))
                .hasMessageContaining("it is neither a file nor a folder");
    }

    @Test
    void provesExactlyOnceOverRanksAndRestarts() {
        deliver(file("l0"), new Shard(0, 2), 0, 0, 40);
        deliver(file("l1"), new Shard(1, 2), 0, 0, 40);
        assertThat(report(file("l0"), file("l1")).isExactlyOnceSoFar()).isTrue();
        assertThat(report(file("l0"), file("l1")).isExactlyOnce()).isFalse();
        for (int rank = 0; rank < 3; rank++) {
            deliver(file("l" + rank), new Shard(rank, 3), 0, 40, 100);
        }
        EpochReport report = report(file("l0"), file("l1"), file("l2"));
        assertThat(report).isEqualTo(new EpochReport(0, 100, 100, 0, 0, 0, 0, 0, RangeSet.EMPTY, RangeSet.EMPTY));
        assertThat(report.isExactlyOnce()).isTrue();
    }

    @Test
    void listsWhatIsMissingAndDoubled() {
        deliver(file("l0"), Shard.WHOLE, 0, 0, 40);
        deliver(file("l0"), Shard.WHOLE, 0, 38, 50);
        deliver(file("l1"), Shard.WHOLE, 0, 60, 90);
        EpochReport report = report(file("l0"), file("l1"));
        assertThat(report.missing()).isEqualTo(20);
        assertThat(report.firstMissing()).hasToString("50-59, 90-99");
        assertThat(report.doubled()).isEqualTo(2);
        assertThat(report.firstDoubled()).hasToString("38-39");
        assertThat(report.isExactlyOnceSoFar()).isFalse();
    }

    @Test
    void paddingDoesNotCountAndWhatIsLeftOutDoes() {
        try (Ledger ledger = Ledger.open(file("l"), identity, Shard.WHOLE)) {
            ledger.epoch(0);
            for (int i = 0; i < 97; i++) {
                ledger.record(Outcome.DELIVERED, i);
            }
            ledger.record(Outcome.PADDED, 0);
            ledger.record(Outcome.DROPPED, 98);
            ledger.record(Outcome.DROPPED, 99);
            ledger.record(Outcome.BAD, 97);
        }
        assertThat(report(file("l")))
                .isEqualTo(new EpochReport(0, 100, 97, 1, 2, 1, 0, 0, RangeSet.EMPTY, RangeSet.EMPTY));
    }

    @Test
    void anEpochThatIsOverGetsItsOwnFile() {
        try (Ledger ledger = Ledger.open(file("l"), identity, Shard.WHOLE)) {
            for (int epoch = 0; epoch < 3; epoch++) {
                ledger.epoch(epoch);
                for (int i = 0; i < 100; i++) {
                    ledger.record(Outcome.DELIVERED, i);
                }
            }
        }
        assertThat(file("l.e0")).exists();
        assertThat(file("l.e1")).exists();
        LedgerCheck check = LedgerCheck.of(List.of(file("l")));
        assertThat(check.reports()).hasSize(3).allMatch(EpochReport::isExactlyOnce);
        assertThat(check.state()).isEqualTo(new Position(identity, 3, 0, RangeSet.EMPTY));
        // Given twice, counted once.
        assertThat(LedgerCheck.of(List.of(file("l"), file("l.e0"))).reports()).allMatch(EpochReport::isExactlyOnce);
    }

    @Test
    void theStateOfACrashedJobIsACursorAndWhatIsBeyond() {
        deliver(file("l0"), new Shard(0, 2), 0, 0, 100);
        deliver(file("l0"), new Shard(0, 2), 1, 0, 4);
        deliver(file("l1"), new Shard(1, 2), 0, 0, 96);
        assertThat(LedgerCheck.of(List.of(file("l0"), file("l1"))).state())
                .isEqualTo(new Position(identity, 0, 97, RangeSet.of(98, 100, 102)));
    }

    @Test
    void aTornEndIsIgnoredAtEveryByteAndWrittenOver() throws IOException {
        deliver(file("whole"), Shard.WHOLE, 0, 0, 30);
        byte[] whole = Files.readAllBytes(file("whole"));
        long before = 0;
        for (int length = 0; length <= whole.length; length++) {
            Path torn = file("torn");
            Files.deleteIfExists(torn);
            Files.write(torn, Arrays.copyOf(whole, length));
            Collected collected = new Collected();
            long end = LedgerReader.read(torn, collected);
            assertThat(end).isLessThanOrEqualTo(length);
            assertThat(collected.positions).as("cut at " + length).isGreaterThanOrEqualTo(before);
            before = collected.positions;
            deliver(torn, Shard.WHOLE, 0, collected.positions, 100);
            assertThat(report(torn).isExactlyOnce()).as("cut at " + length).isTrue();
        }
        assertThat(before).isEqualTo(30);
    }

    @Test
    void zerosAtTheEndAreATornEnd() throws IOException {
        deliver(file("l"), Shard.WHOLE, 0, 0, 30);
        Files.write(file("l"), new byte[1000], StandardOpenOption.APPEND);
        deliver(file("l"), Shard.WHOLE, 0, 30, 100);
        assertThat(report(file("l")).isExactlyOnce()).isTrue();
    }

    @Test
    void damageAnywhereIsAnErrorThatNamesThePlace() throws IOException {
        deliver(file("l"), Shard.WHOLE, 0, 0, 30);
        byte[] whole = Files.readAllBytes(file("l"));
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x10;
            Files.write(file("damaged"), damaged);
            assertThatThrownBy(() -> LedgerCheck.of(List.of(file("damaged"))))
                    .as("byte " + at)
                    .isInstanceOf(StokerException.class)
                    .hasMessageStartingWith(
                            "[" + file("damaged") + "] record " + at / 32 + " at byte " + at / 32 * 32 + ": ");
        }
    }

    @Test
    void hostileRecordsWithGoodChecksumsAreRefused() throws IOException {
        long seed = 99;
        Random random = new Random(seed);
        deliver(file("l"), Shard.WHOLE, 0, 0, 30);
        byte[] whole = Files.readAllBytes(file("l"));
        for (int round = 0; round < 3000; round++) {
            byte[] hostile = whole.clone();
            ByteBuffer buffer = ByteBuffer.wrap(hostile).order(ByteOrder.LITTLE_ENDIAN);
            int at = random.nextInt(whole.length / 32) * 32;
            buffer.put(
                    at + (random.nextBoolean() ? random.nextInt(4) : 8 + random.nextInt(24)), (byte) random.nextInt());
            buffer.putInt(at + 4, LedgerFormat.crc(buffer, at));
            Files.write(file("hostile"), hostile);
            try {
                LedgerCheck check = LedgerCheck.of(List.of(file("hostile")));
                if (check.identity().size() == 100) {
                    check.reports();
                    check.state();
                }
            } catch (StokerException e) {
                assertThat(e.getMessage())
                        .as("seed " + seed + " round " + round)
                        .contains("hostile");
            }
        }
    }

    @Test
    void refusesOtherJobsOtherFilesAndASecondWriter() throws IOException {
        deliver(file("l"), Shard.WHOLE, 0, 0, 30);
        OrderFingerprint other = new OrderFingerprint(8, 100, identity.dataset(), identity.order());
        try (Ledger ledger = Ledger.open(file("l"), other, Shard.WHOLE)) {
            assertThatThrownBy(() -> ledger.epoch(0)).hasMessageContaining("seed should be 8 but is 7");
        }
        try (Ledger ledger = Ledger.open(file("m"), other, Shard.WHOLE)) {
            ledger.epoch(0);
            assertThatThrownBy(() -> LedgerCheck.of(List.of(file("l"), file("m"))))
                    .hasMessageContaining("seed should be 7 but is 8");
            try (Ledger second = Ledger.open(file("m"), other, Shard.WHOLE)) {
                assertThatThrownBy(() -> second.epoch(0))
                        .hasMessageContaining("another process is writing this ledger");
            }
        }
        Files.writeString(file("note"), "dear diary");
        try (Ledger ledger = Ledger.open(file("note"), identity, Shard.WHOLE)) {
            assertThatThrownBy(() -> ledger.epoch(0)).hasMessageContaining("a ledger should begin with a FILE record");
        }
        assertThat(file("note")).hasContent("dear diary");
        assertThatThrownBy(() -> LedgerCheck.of(List.of(file("none")))).hasMessageContaining("there is no such file");
    }

    @Test
    void longEpochsAreReadInChunks() {
        deliver(file("l0"), new Shard(0, 3), 0, 0, 100);
        deliver(file("l1"), new Shard(1, 3), 0, 0, 90);
        deliver(file("l2"), new Shard(1, 3), 0, 50, 70);
        List<Path> files = List.of(file("l0"), file("l1"), file("l2"));
        List<Integer> expected = times(new EpochCoverage(0, 100, files));
        for (long chunk : new long[] {1, 7, 64, 99, 100}) {
            assertThat(times(new EpochCoverage(0, 100, files, chunk))).isEqualTo(expected);
        }
    }

    private static List<Integer> times(EpochCoverage map) {
        List<Integer> all = new ArrayList<>();
        map.forEachRange((from, to, times) -> {
            for (long i = from; i < to; i++) {
                all.add(times);
            }
        });
        assertThat(map.total(Outcome.DELIVERED)).isEqualTo(34 + 30 + 7);
        return all;
    }

    @Test
    void bytesAreThoseOfTheSpecification() throws IOException {
        try (Ledger ledger = Ledger.open(file("l"), new OrderFingerprint(7, 100, "d", "o"), new Shard(1, 4))) {
            ledger.epoch(3);
            ledger.record(Outcome.DELIVERED, 1);
            ledger.record(Outcome.DELIVERED, 5);
            ledger.record(Outcome.DELIVERED, 9);
        }
        String crc = "........";
        assertThat(HexFormat.of().formatHex(Files.readAllBytes(file("l"))))
                .matches("01000100" + crc + "53746f6b6572206c65646765720a00000000000000000000"
                        + "02000000" + crc + "0700000000000000" + "6400000000000000" + "01000000" + "01000000"
                        + "03000100" + crc + "64" + "00".repeat(23)
                        + "03000100" + crc + "6f" + "00".repeat(23)
                        + "04000000" + crc + "0300000000000000" + "01000000" + "04000000" + "00".repeat(8)
                        + "05000000" + crc + "0100000000000000" + "0300000000000000" + "0400000000000000");
    }

    private static final class Collected implements LedgerReader.Visitor {
        private long positions;

        @Override
        public void run(Outcome outcome, long first, long count, long step) {
            positions += count;
        }
    }
}
