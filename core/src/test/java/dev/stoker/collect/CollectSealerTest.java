package dev.stoker.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.Scratch;
import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.io.OutputFile;
import dev.stoker.sample.Field;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CollectSealerTest {
    @TempDir
    private Path folder;

    private Path output = Path.of("");

    @BeforeEach
    void name() {
        output = folder.resolve("out.stk");
    }

    private Path partial() {
        return folder.resolve("out.stk.partial");
    }

    private Collector open(int rank, int world) {
        return Collector.open(output, Collected.SCHEMA, rank, world, Collected.SETTINGS);
    }

    private CollectSealer.Result seal(CollectSealer.Order order) {
        return CollectSealer.run(output, order, false);
    }

    private void assertRefused(String sentence) {
        assertThatThrownBy(() -> seal(CollectSealer.Order.RANK))
                .isInstanceOf(StokerException.class)
                .hasMessage(sentence);
    }

    private List<String> keys() {
        try (Container container = Container.open(output)) {
            return Scratch.texts(container, Field.KEY);
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    /** The ranks take turns, each in its own time. */
    private void collectFromThree() {
        try (Collector two = open(2, 3);
                Collector zero = open(0, 3);
                Collector one = open(1, 3)) {
            for (int i = 0; i < 4; i++) {
                Collected.append(two, 2, i, 3 * i + 2, i * 1000);
                Collected.append(zero, 0, i, 3 * i, i);
                if (i % 2 == 0) {
                    Collected.append(one, 1, i / 2, 3 * i + 1, 0);
                    one.flush();
                }
            }
        }
    }

    @Test
    void theSamplesComeByRank() throws IOException {
        collectFromThree();
        CollectSealer.Result sealed = seal(CollectSealer.Order.RANK);
        assertThat(sealed.samples()).isEqualTo(10);
        assertThat(sealed.bytes()).isEqualTo(Files.size(output));
        assertThat(sealed.missing()).isEmpty();
        assertThat(keys()).containsExactly("0/0", "0/1", "0/2", "0/3", "1/0", "1/1", "2/0", "2/1", "2/2", "2/3");
        assertThat(names()).containsExactly("out.stk");
    }

    @Test
    void orTheyComeByTheirIndexes() {
        collectFromThree();
        seal(CollectSealer.Order.INDEX);
        assertThat(keys()).containsExactly("0/0", "1/0", "2/0", "0/1", "2/1", "0/2", "1/1", "2/2", "0/3", "2/3");
    }

    @Test
    void valuesAndShapesAreKept() {
        collectFromThree();
        seal(CollectSealer.Order.RANK);
        try (Container container = Container.open(output)) {
            for (int i = 0; i < 4; i++) {
                assertThat(Scratch.bytes(container, Field.DATA).get(6 + i)).isEqualTo(Collected.data(i * 1000));
                assertThat(container.shape(6 + i, 2)).containsExactly(i, 2);
                assertThat(container.isIntact(6 + i, 1)).isTrue();
            }
        }
    }

    @Test
    void samplesWithOneIndexStayByRank() {
        try (Collector zero = open(0, 2);
                Collector one = open(1, 2)) {
            Collected.append(one, 1, 0, 5, 1);
            Collected.append(one, 1, 1, 5, 1);
            Collected.append(zero, 0, 0, 5, 1);
            Collected.append(zero, 0, 1, 4, 1);
        }
        seal(CollectSealer.Order.INDEX);
        assertThat(keys()).containsExactly("0/1", "0/0", "1/0", "1/1");
    }

    @Test
    void ranksWithoutSamplesMakeAnEmptyContainer() {
        open(0, 2).close();
        open(1, 2).close();
        assertThat(seal(CollectSealer.Order.INDEX).samples()).isZero();
        assertThat(keys()).isEmpty();
    }

    @Test
    void whatIsNotCompleteIsRefused() {
        open(0, 3).close();
        open(2, 3).abandon();
        assertRefused("[" + partial() + "] is not complete. Missing: rank 1: anything after its first 0 samples; it"
                + " was not closed; rank 2: anything after its first 0 samples; it was not closed. Wait until all"
                + " ranks are done, or finish it with what was written: stoker seal --salvage");
        assertThat(partial()).exists();
        open(1, 3).close();
    }

    @Test
    void ofManyMissingRanksTheFirstAreNamed() {
        open(0, 8).close();
        assertThatThrownBy(() -> seal(CollectSealer.Order.RANK))
                .hasMessageContaining("rank 5: anything after")
                .hasMessageNotContaining("rank 6")
                .hasMessageContaining("it was not closed; and 2 more. Wait");
    }

    @Test
    void whatIsNotThereCannotBeSealed() throws IOException {
        assertRefused("[" + partial() + "] cannot be read: there is no such file or folder");
        Files.createFile(partial());
        assertRefused("[" + partial() + "] is empty: no rank has begun to collect");
        Files.writeString(partial(), "something else");
        assertRefused(
                "[" + partial() + "] should begin with STKCOLL1 but does not: it is not what a Collector wrote, or"
                        + " is sealed already");
        assertThat(names()).containsExactly("out.stk.partial");
    }

    @Test
    void anOutputThatIsThereIsKept() throws IOException {
        open(0, 1).close();
        Files.writeString(output, "another's");
        assertRefused("[" + output + "] already exists; move it away first");
        assertThat(output).hasContent("another's");
    }

    @Test
    void oneSealsAtATime() throws IOException {
        open(0, 1).close();
        try (OutputFile _ = Objects.requireNonNull(OutputFile.claim(folder.resolve("out.stk.partial.sealing")))) {
            assertRefused("[" + output + "] is being sealed by another process; wait for it");
        }
        assertThat(seal(CollectSealer.Order.RANK).samples()).isZero();
        assertThat(names()).containsExactly("out.stk");
    }
}
