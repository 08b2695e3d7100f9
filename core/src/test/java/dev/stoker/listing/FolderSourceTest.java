package dev.stoker.listing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.Scratch;
import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.sample.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderSourceTest {
    @TempDir
    private Path folder;

    private Scratch scratch = new Scratch(Path.of("."));

    @BeforeEach
    void begin() {
        scratch = new Scratch(folder);
    }

    private Container packed() {
        return scratch.pack(FolderSource.list(scratch.src(), true, 3));
    }

    @Test
    void samplesAreInBytewiseOrderOfTheirPathsAndLabelledByFolder() {
        scratch.file("b/1.jpg", "b1");
        scratch.file("a/2.jpg", "a2");
        scratch.file("a/1.jpg", "a1");
        scratch.file("a.jpg", "top");
        scratch.file("a/sub/1.jpg", "sub");
        try (Container container = packed()) {
            assertThat(Scratch.texts(container, "key"))
                    .containsExactly("a.jpg", "a/1.jpg", "a/2.jpg", "a/sub/1.jpg", "b/1.jpg");
            assertThat(Scratch.data(container)).containsExactly("top", "a1", "a2", "sub", "b1");
            assertThat(Scratch.longs(container, "label")).containsExactly(-1L, 0L, 0L, 0L, 1L);
            assertThat(container.schema().classes()).containsExactly("a", "b");
        }
    }

    /** Which sorts the names of all folders by their code points. */
    @Test
    void labelsAreThoseOfImageFolder() {
        var names = new ArrayList<>(
                List.of("10", "9", "Z", "a", "a b", "a-b", "_x", "é", "Ω", "\uFF5E", "\uD83D\uDE00", "a.b"));
        Collections.shuffle(names, new Random(7));
        for (String name : names) {
            scratch.file(name + "/sub/1.jpg", name);
            scratch.file(name + "/0.jpg", name);
        }
        scratch.file("a/.DS_Store", "junk");
        names.sort((a, b) ->
                Arrays.compare(a.codePoints().toArray(), b.codePoints().toArray()));
        try (Container container = packed()) {
            assertThat(container.schema().classes()).isEqualTo(names);
            for (int i = 0; i < container.count(); i++) {
                int label = Scratch.longs(container, "label").get(i).intValue();
                assertThat(names.get(label)).isEqualTo(Scratch.data(container).get(i));
            }
        }
    }

    @Test
    void withoutFoldersThereIsNoLabelAndNoneIsMadeIfNotWanted() {
        scratch.file("1.jpg", "1");
        try (Samples samples = FolderSource.list(scratch.src(), true, 1)) {
            assertThat(samples.schema().find("label")).isEqualTo(-1);
        }
        scratch.file("a/1.jpg", "1");
        try (Samples samples = FolderSource.list(scratch.src(), false, 1)) {
            assertThat(samples.schema().find("label")).isEqualTo(-1);
        }
    }

    @Test
    void namesMayHoldAnything() {
        String[] names = {"a b/c d.jpg", "a b/new\nline", "übung/ß.jpg", "日本/語.png", "😀/😀", "q'\"\\|,;*?.x"};
        for (String name : names) {
            scratch.file(name, name);
        }
        try (Container container = packed()) {
            assertThat(Scratch.texts(container, "key")).containsExactlyInAnyOrder(names);
            assertThat(Scratch.data(container)).isEqualTo(Scratch.texts(container, "key"));
            assertThat(container.schema().classes()).containsExactly("a b", "übung", "日本", "😀");
        }
    }

    @Test
    void emptyFilesHardLinksAndSymbolicLinksAreSamples() throws IOException {
        scratch.file("a/empty", "");
        Path real = scratch.file("a/real", "real");
        Files.createLink(scratch.src().resolve("a/hard"), real);
        Files.createSymbolicLink(scratch.src().resolve("a/soft"), Path.of("real"));
        Files.createSymbolicLink(scratch.src().resolve("b"), Path.of("a"));
        try (Container container = packed()) {
            assertThat(Scratch.texts(container, "key"))
                    .containsExactly("a/empty", "a/hard", "a/real", "a/soft", "b/empty", "b/hard", "b/real", "b/soft");
            assertThat(Scratch.data(container)).containsExactly("", "real", "real", "real", "", "real", "real", "real");
        }
    }

    @Test
    void anEmptyFolderIsAnEmptyContainer() throws IOException {
        Files.createDirectories(scratch.src());
        try (Container container = packed()) {
            assertThat(container.count()).isZero();
        }
    }

    @Test
    void aFolderThatIsMissingIsNamed() {
        assertThatThrownBy(() -> FolderSource.list(scratch.src(), true, 2))
                .isExactlyInstanceOf(StokerException.class)
                .hasMessage("[" + scratch.src() + "] cannot be read: No such file or directory");
    }

    @Test
    void danglingLinksAndLoopsAreRefusedOrLeftOut() throws IOException {
        scratch.file("a/1", "1");
        Path dangling = Files.createSymbolicLink(scratch.src().resolve("a/gone"), Path.of("nowhere"));
        assertThatThrownBy(() -> FolderSource.list(scratch.src(), true, 2))
                .hasMessage("[" + dangling + "] cannot be read: No such file or directory;"
                        + " if it is a symbolic link, what it points to is missing");
        Files.delete(dangling);
        Path loop = Files.createSymbolicLink(scratch.src().resolve("a/loop"), Path.of(".."));
        assertThatThrownBy(() -> FolderSource.list(scratch.src(), true, 2))
                .hasMessage("[" + loop + "] is a symbolic link to a folder above itself");
        Files.createSymbolicLink(dangling, Path.of("nowhere"));

        BadFilePolicy bad = BadFilePolicy.skipped();
        try (Container container = scratch.pack(FolderSource.list(scratch.src(), true, 2, bad))) {
            assertThat(Scratch.texts(container, "key")).containsExactly("a/1");
        }
        assertThat(bad.list())
                .containsExactly(
                        new BadFilePolicy.BadFile(
                                dangling.toString(),
                                "cannot be read: No such file or directory;"
                                        + " if it is a symbolic link, what it points to is missing"),
                        new BadFilePolicy.BadFile(loop.toString(), "is a symbolic link to a folder above itself"));
    }

    @Test
    void unreadableFilesAndFoldersAreLeftOutIfWantedAndClassesKeepTheirNumbers() throws IOException {
        scratch.file("a/1", "1");
        Path closed = scratch.file("b/2", "2");
        scratch.file("c/3", "3");
        Path closedFolder = scratch.file("d/4", "4").getParent();
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
        Files.setPosixFilePermissions(closedFolder, PosixFilePermissions.fromString("---------"));
        Assumptions.assumeFalse(Files.isReadable(closed), "this user may read everything");
        BadFilePolicy bad = BadFilePolicy.skipped();
        try (Container container = scratch.pack(FolderSource.list(scratch.src(), true, 2, bad))) {
            assertThat(Scratch.texts(container, "key")).containsExactly("a/1", "c/3");
            assertThat(Scratch.longs(container, "label")).containsExactly(0L, 2L);
            assertThat(container.schema().classes()).containsExactly("a", "b", "c");
        } finally {
            Files.setPosixFilePermissions(closedFolder, PosixFilePermissions.fromString("rwx------"));
        }
        assertThat(bad.list())
                .containsExactly(
                        new BadFilePolicy.BadFile(closed.toString(), "cannot be read: Permission denied"),
                        new BadFilePolicy.BadFile(closedFolder + "/", "cannot be read: Permission denied"));
    }

    @Test
    void aFileThatChangesAfterListingIsRefused() throws IOException {
        Path file = scratch.file("a/1", "before");
        try (Samples samples = FolderSource.list(scratch.src(), true, 1)) {
            Files.writeString(file, "longer than before");
            assertThatThrownBy(() -> scratch.pack(samples))
                    .hasMessage("[" + file + "] changed while it was being packed: it had 6 bytes and now has 18."
                            + " Pack again when nothing writes to the source");
        }
    }
}
