package dev.stoker.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.Scratch;
import dev.stoker.container.Container;
import dev.stoker.io.OutputFile;
import dev.stoker.sample.Field;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What ranks that were not closed leave. */
class CollectSalvageTest {
    @TempDir
    private Path folder;

    private Path output = Path.of("");
    private Path partial = Path.of("");
    private Path copy = Path.of("");

    @BeforeEach
    void name() {
        output = folder.resolve("out.stk");
        partial = folder.resolve("out.stk.partial");
        copy = folder.resolve("out.stk.partial.salvaged");
    }

    private Collector open(int rank, int world) {
        return Collector.open(output, Collected.SCHEMA, rank, world, Collected.SETTINGS);
    }

    private CollectSealer.Result salvage() {
        return CollectSealer.run(output, CollectSealer.Order.RANK, true);
    }

    private List<String> keys() {
        try (Container container = Container.open(output)) {
            return Scratch.texts(container, Field.KEY);
        }
    }

    /** Two ranks with three batches each, of which the second was not closed. */
    private void collectFromTwo() {
        Collector zero = open(0, 2);
        Collector one = open(1, 2);
        for (int i = 0; i < 3; i++) {
            Collected.append(zero, 0, i);
            zero.flush();
            Collected.append(one, 1, i);
            one.flush();
        }
        zero.close();
        one.abandon();
    }

    private List<CollectedBatch> batches() throws IOException {
        try (OutputFile file = OutputFile.openExisting(partial)) {
            CollectHeader head = Objects.requireNonNull(CollectHeader.read(file));
            return new BatchScanner(head, MemorySegment.ofArray(Files.readAllBytes(partial))).batches();
        }
    }

    @Test
    void aTornBatchCostsWhatItHoldsAndNobodyElseAnything() throws IOException {
        collectFromTwo();
        CollectedBatch torn = batches().getLast();
        try (var file = FileChannel.open(partial, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[] {'?'}), torn.end() - 1);
        }
        CollectSealer.Result sealed = salvage();
        assertThat(sealed.samples()).isEqualTo(5);
        assertThat(sealed.missing())
                .containsExactly(
                        "rank 1: what it was writing at byte " + torn.start() + " when it was interrupted",
                        "rank 1: anything after its first 2 samples; it was not closed");
        assertThat(keys()).containsExactly("0/0", "0/1", "0/2", "1/0", "1/1");
        try (Container container = Container.open(output)) {
            for (int i = 0; i < 5; i++) {
                assertThat(container.isIntact(i, 1)).isTrue();
            }
        }
    }

    @Test
    void aCutFileLosesItsEnd() throws IOException {
        collectFromTwo();
        CollectedBatch cut = batches().getLast();
        try (var file = FileChannel.open(partial, StandardOpenOption.WRITE)) {
            file.truncate(cut.start() + 10);
        }
        assertThat(salvage().missing())
                .containsExactly("rank 1: anything after its first 2 samples; it was not closed");
        assertThat(keys()).containsExactly("0/0", "0/1", "0/2", "1/0", "1/1");
    }

    @Test
    void theFileThatRanksHaveOpenIsLeftToThem() throws IOException {
        collectFromTwo();
        Object before = Files.getAttribute(partial, "unix:ino");
        try (OutputFile file = OutputFile.openExisting(partial)) {
            CollectHeader head = Objects.requireNonNull(CollectHeader.read(file));
            List<CollectedBatch> whole = batches();
            Files.setPosixFilePermissions(partial, PosixFilePermissions.fromString("rw-r-----"));
            Files.writeString(copy, "half a copy, of a try that was killed");
            assertThat(CollectSalvage.takeOver(head, file)).hasSize(1);
            assertThat(CollectHeader.isSealing(file)).isTrue();
            assertThat(batches()).isEqualTo(whole);
        }
        assertThat(Files.getAttribute(partial, "unix:ino")).isNotEqualTo(before);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(partial)))
                .isEqualTo("rw-r-----");
        assertThat(copy).doesNotExist();
        try (OutputFile file = OutputFile.openExisting(partial)) {
            assertThat(CollectHeader.isSealing(file)).isTrue();
        }
    }

    @Test
    void aSalvageThatWasInterruptedIsDoneAgain() throws IOException {
        collectFromTwo();
        try (OutputFile file = OutputFile.openExisting(partial)) {
            CollectSalvage.takeOver(Objects.requireNonNull(CollectHeader.read(file)), file);
        }
        assertThatThrownBy(() -> open(1, 2))
                .hasMessageContaining("already has a rank 1; give each process its own rank");
        assertThatThrownBy(() -> CollectSealer.run(output, CollectSealer.Order.RANK, false))
                .hasMessageContaining("rank 1: anything after its first 3 samples");
        assertThat(salvage().samples()).isEqualTo(6);
        assertThat(keys()).hasSize(6);
    }

    @Test
    void whoIsStillThereIsToldThatItCameTooLate() {
        Collector rank = open(0, 1);
        Collected.append(rank, 0, 0);
        rank.flush();
        assertThat(salvage().samples()).isEqualTo(1);
        Collected.append(rank, 0, 1);
        assertThatThrownBy(rank::close)
                .hasMessage("[" + partial + "] is being sealed, or was sealed or moved, so rank 0 cannot add its last 1"
                        + " samples");
        assertThat(keys()).containsExactly("0/0");
    }
}
