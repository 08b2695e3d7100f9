package dev.stoker.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.stoker.io.OutputFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which batches of a file are whole, and what is said of the others. */
class BatchScannerTest {
    @TempDir
    private Path folder;

    private Path output = Path.of("");
    private byte[] file = {};

    @BeforeEach
    void name() {
        output = folder.resolve("out.stk");
    }

    /** Each sample is a batch of its own. */
    private void collect(int rank, int world, int samples, int bytes) {
        try (Collector collector = Collector.open(output, Collected.SCHEMA, rank, world, Collected.SETTINGS)) {
            for (int i = 0; i < samples; i++) {
                Collected.append(collector, rank, i, i, bytes);
                collector.flush();
            }
        }
    }

    private BatchScanner scan() throws IOException {
        if (file.length == 0) {
            file = Files.readAllBytes(Collector.partial(output));
        }
        try (OutputFile opened = OutputFile.openExisting(Collector.partial(output))) {
            return new BatchScanner(Objects.requireNonNull(CollectHeader.read(opened)), MemorySegment.ofArray(file));
        }
    }

    /** Changes one byte of the values, or where there are none of the table. */
    private void tear(CollectedBatch batch) {
        file[(int) batch.end() - 1] ^= 1;
    }

    @Test
    void allBatchesOfAllRanksAreFound() throws IOException {
        collect(1, 2, 2, 100);
        collect(0, 2, 3, 100);
        BatchScanner scan = scan();
        assertThat(scan.missing()).isEmpty();
        assertThat(scan.batches())
                .extracting(CollectedBatch::rank, CollectedBatch::before, CollectedBatch::samples)
                .containsExactly(tuple(0, 0L, 1), tuple(0, 1L, 1), tuple(0, 2L, 1), tuple(1, 0L, 1), tuple(1, 1L, 1));
        // And for each rank the one that claims it, and the one that says that it is done.
        assertThat(scan.all()).hasSize(9);
        assertThat(scan.all().stream().filter(CollectedBatch::last)).hasSize(2);
        assertThat(scan.bytes())
                .isEqualTo(scan.all().stream()
                        .mapToLong(each -> each.end() - each.start())
                        .sum());
        assertThat(scan.all()).allSatisfy(each -> {
            assertThat(each.start() % BatchWriter.ALIGNMENT).isZero();
            assertThat(each.end()).isLessThanOrEqualTo(scan.end());
        });
    }

    @Test
    void everyRankHasItsOwnChunks() throws IOException {
        collect(0, 2, 3, 40_000);
        collect(1, 2, 3, 40_000);
        BatchScanner scan = scan();
        assertThat(scan.missing()).isEmpty();
        long start = scan.all().getFirst().start();
        assertThat(scan.batches())
                .extracting(CollectedBatch::rank, each -> (each.start() - start) / Collected.CHUNK)
                .containsExactly(tuple(0, 0L), tuple(0, 2L), tuple(0, 4L), tuple(1, 1L), tuple(1, 3L), tuple(1, 5L));
    }

    @Test
    void atATornBatchTheChunkEnds() throws IOException {
        collect(0, 1, 3, 100);
        CollectedBatch torn = scan().batches().get(1);
        tear(torn);
        BatchScanner scan = scan();
        assertThat(scan.batches()).extracting(CollectedBatch::before).containsExactly(0L);
        assertThat(scan.missing())
                .containsExactly(
                        "rank 0: what it was writing at byte " + torn.start() + " when it was interrupted",
                        "rank 0: anything after its first 1 samples; it was not closed");
    }

    @Test
    void aTornBatchHidesNoOtherChunk() throws IOException {
        collect(0, 1, 3, 40_000);
        CollectedBatch torn = scan().batches().get(1);
        tear(torn);
        BatchScanner scan = scan();
        assertThat(scan.batches()).extracting(CollectedBatch::before).containsExactly(0L, 2L);
        assertThat(scan.missing())
                .containsExactly(
                        "rank 0: what it was writing at byte " + torn.start() + " when it was interrupted",
                        "rank 0: its samples 1 to 1");
    }

    @Test
    void aTruncatedFileEndsWithItsLastWholeBatch() throws IOException {
        collect(0, 1, 3, 100);
        CollectedBatch cut = scan().batches().get(2);
        byte[] whole = file;
        for (int left : new int[] {0, 63, 64, 100}) {
            file = Arrays.copyOf(whole, (int) cut.start() + left);
            BatchScanner scan = scan();
            assertThat(scan.batches()).hasSize(2);
            assertThat(scan.end()).isLessThanOrEqualTo(cut.start());
            assertThat(scan.missing())
                    .last()
                    .isEqualTo("rank 0: anything after its first 2 samples; it was not closed");
            assertThat(scan.missing()).hasSize(left < 64 ? 1 : 2);
        }
    }

    @Test
    void anyByteOfABatchIsCovered() throws IOException {
        collect(0, 1, 1, 20);
        CollectedBatch batch = scan().batches().getFirst();
        for (long at = batch.start(); at < batch.end(); at++) {
            file[(int) at] ^= 1;
            assertThat(scan().batches()).as("byte " + (at - batch.start())).isEmpty();
            file[(int) at] ^= 1;
        }
        assertThat(scan().batches()).hasSize(1);
    }

    @Test
    void aBatchOfAnotherJobOrRankIsNotTaken() throws IOException {
        collect(0, 2, 1, 100);
        collect(1, 2, 1, 100);
        CollectedBatch first = scan().all().getFirst();
        int second = (int) first.start() + Collected.CHUNK;
        System.arraycopy(file, second, file, (int) first.start(), file.length - second);
        assertThat(scan().batches()).extracting(CollectedBatch::rank).containsExactly(1);
        var other = new CollectHeader("stk", 2, Collected.CHUNK, first.start(), Collected.SCHEMA);
        assertThat(new BatchScanner(other, MemorySegment.ofArray(file)).batches())
                .hasSize(1);
        var renamed = new CollectHeader("arrow", 2, Collected.CHUNK, first.start(), Collected.SCHEMA);
        assertThat(new BatchScanner(renamed, MemorySegment.ofArray(file)).all()).isEmpty();
    }
}
