package dev.stoker.formats.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.format.FormatOptions;
import dev.stoker.listing.FolderSource;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Same;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderFormatTest {
    private static final Field KEY = new Field(Field.KEY, new FieldType.Text());
    private static final Field DATA = new Field(Field.DATA, new FieldType.Bytes());

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private static void assertRefused(MemorySamples.Builder samples, String... reasons) {
        var refused = assertThatThrownBy(() -> new FolderFormat().plan(samples.build(), FormatOptions.NONE))
                .isInstanceOf(StokerException.class);
        for (String reason : reasons) {
            refused.hasMessageContaining(reason);
        }
    }

    @Test
    void keysThatCannotStandTogetherAreRefusedBeforeAnythingIsWritten() {
        assertRefused(
                MemorySamples.of(KEY, DATA)
                        .add("x/a", new byte[1])
                        .add("b", new byte[1])
                        .add("x/a", new byte[1]),
                "'x/a'");
        assertRefused(
                MemorySamples.of(KEY, DATA)
                        .add("x/a/b", new byte[1])
                        .add("c", new byte[1])
                        .add("x/a", new byte[1]),
                "'x/a'",
                "'x/a/b'");
        for (String key :
                new String[] {"", "/a", "a/", "../a", "a/../../b", "a//b", "./a", "a/.", "a\0", "n".repeat(256)}) {
            assertRefused(MemorySamples.of(KEY, DATA).add(key, new byte[1]), "'" + key + "'");
        }
    }

    @Test
    void otherDataThanBytesIsRefused() {
        assertRefused(
                MemorySamples.of(KEY, new Field(Field.DATA, new FieldType.Tensor(DType.INT8, List.of(2L)))), "int8[2]");
    }

    @Test
    void readingManyFilesLeavesNoMappings() throws Exception {
        Path loose = Files.createDirectories(folder.resolve("many"));
        for (int i = 0; i < 100; i++) {
            Files.writeString(loose.resolve("%02d".formatted(i)), "content of " + i);
        }
        try (Container container = Container.open(loose);
                Arena arena = Arena.ofConfined()) {
            int data = container.schema().place(Field.DATA);
            for (long i = 0; i < container.count(); i++) {
                MemorySegment to = arena.allocate(container.length(i, data) - 3);
                container.read(i, data, 3, to);
                assertThat(new String(to.toArray(ValueLayout.JAVA_BYTE))).isEqualTo("tent of " + i);
                assertThat(container.text(i, data)).isEqualTo("content of " + i);
            }
            // A process may have 65,530 of them, and a JVM that gets no more dies.
            assertThat(Files.readString(Path.of("/proc/self/maps"))).doesNotContain(loose.toString());
        }
    }

    @Test
    void looseFilesAreReadWithoutAnIndex() throws Exception {
        Path loose = Files.createDirectories(folder.resolve("loose"));
        for (String name : new String[] {"cat/1.jpg", "cat/new\nline", "dog/ж.jpg", "top.txt"}) {
            Path file = loose.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "content of " + name);
        }
        Files.createFile(loose.resolve("dog/empty"));
        try (Container container = Container.open(loose);
                Samples listed = FolderSource.list(loose, true, 2)) {
            assertThat(container.format()).isEqualTo("folder");
            assertThat(container.schema().classes()).containsExactly("cat", "dog");
            assertThat(container.count()).isEqualTo(5);
            assertThat(container.text(0, 1)).isEqualTo("content of cat/1.jpg");
            assertThat(container.schema()).isEqualTo(listed.schema());
            assertThat(Same.bytes(container, 4, 2)).containsExactly(-1, -1, -1, -1, -1, -1, -1, -1);
        }
        assertThat(folder.resolve("loose.stkx")).doesNotExist();
    }
}
