package dev.stoker.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.io.OutputFile;
import dev.stoker.sample.Split;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How an Index gets its name: only when it is complete, and without taking another's. */
class IndexBuilderTest {
    @TempDir
    private Path folder;

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aFileThatIsThereStaysUnlessItIsReplaced() throws IOException {
        Path path = Files.writeString(folder.resolve("x.stkx"), "another's");
        try (IndexBuilder builder = Indexed.builder()) {
            assertThat(builder.toFile(path, false, "plain", null, ContainerIdentity.NONE, null))
                    .isFalse();
            assertThat(path).hasContent("another's");
            assertThat(builder.toFile(path, true, "plain", null, ContainerIdentity.NONE, null))
                    .isTrue();
            Index.open(path).close();
        }
        assertThat(names()).containsExactly("x.stkx");
    }

    @Test
    void nothingIsLeftWhenTheContainerChangedMeanwhile() throws IOException {
        try (IndexBuilder builder = Indexed.builder()) {
            builder.checked(() -> {
                throw new StokerException("it changed");
            });
            assertThatThrownBy(() ->
                            builder.toFile(folder.resolve("x.stkx"), true, "plain", null, ContainerIdentity.NONE, null))
                    .hasMessage("it changed");
        }
        assertThat(names()).isEmpty();
    }

    @Test
    void whoMayNotReadTheContainerMayNotReadItsIndex() throws IOException {
        Path secret = Files.createFile(
                folder.resolve("x"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
        Path open = Files.createFile(folder.resolve("y"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        Path usual = folder.resolve("usual.stkx");
        try (IndexBuilder builder = Indexed.builder()) {
            builder.toFile(folder.resolve("x.stkx"), false, "plain", null, ContainerIdentity.NONE, secret);
            builder.toFile(folder.resolve("y.stkx"), false, "plain", null, ContainerIdentity.NONE, open);
            builder.toFile(usual, false, "plain", null, ContainerIdentity.NONE, null);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("x.stkx"))))
                .isEqualTo("rw-r-----");
        assertThat(Files.getPosixFilePermissions(folder.resolve("y.stkx")))
                .isEqualTo(Files.getPosixFilePermissions(usual));
    }

    @Test
    void whatKilledProcessesLeftIsDeletedAndWhatALivingOneWritesStays() throws IOException {
        Path path = folder.resolve("x.stkx");
        Files.createFile(folder.resolve("x.stkx.partial-dead"));
        Files.createFile(folder.resolve("y.stkx.partial-dead"));
        try (OutputFile _ = Objects.requireNonNull(OutputFile.claim(folder.resolve("x.stkx.partial-alive")))) {
            IndexBuilder.deleteLeftovers(path);
            assertThat(names()).containsExactly("x.stkx.partial-alive", "y.stkx.partial-dead");
        }
        IndexBuilder.deleteLeftovers(path);
        assertThat(names()).containsExactly("y.stkx.partial-dead");
    }

    @Test
    void valuesThatDoNotFitAreRefused() {
        try (var builder = new IndexBuilder(Indexed.SCHEMA, placements())) {
            assertThatThrownBy(() -> builder.value(Indexed.LABEL, MemorySegment.ofArray(new byte[4])))
                    .isInstanceOf(StokerException.class)
                    .hasMessage("a value of field 'label' should have 8 bytes but has 4");
            builder.value(Indexed.KEY, MemorySegment.ofArray(new byte[1]));
            assertThatThrownBy(() -> builder.toMemory("x", "plain", null, ContainerIdentity.NONE))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("field 1 has 0 values, not 1");
        }
        try (IndexBuilder builder = Indexed.builder()) {
            assertThatThrownBy(() -> builder.splits(List.of(new Split("train", 0, 2))))
                    .hasMessage("the splits hold 2 samples but there are 3");
        }
    }

    private static List<Placement> placements() {
        return Indexed.SCHEMA.fields().stream()
                .map(field -> Placement.indexed(field.type().isFixed()))
                .toList();
    }
}
