package dev.stoker.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.CorruptContainerException;
import dev.stoker.os.FolderBoundary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The names of files that an Index holds. */
class BlockFilesTest {
    private static final Path FOLDER = Path.of("/data/photos.zarr");

    @ParameterizedTest
    @ValueSource(strings = {"../secret", "/etc/passwd", "c/../../secret", "c/0/../../..", "../photos.zarr.d/x", "a\0b"})
    void aNameThatLeavesTheFolderIsRefused(String name) {
        assertThatThrownBy(() -> BlockFiles.member(FOLDER, name))
                .isInstanceOf(CorruptContainerException.class)
                .hasMessageContaining("there can be no file in it of this name");
    }

    @Test
    void othersAreBelowIt() {
        assertThat(BlockFiles.member(FOLDER, "data/c/0")).isEqualTo(Path.of("/data/photos.zarr/data/c/0"));
        assertThat(BlockFiles.member(FOLDER, "a/../b")).isEqualTo(Path.of("/data/photos.zarr/b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"link", "folder/secret"})
    void aLinkThatLeavesTheFolderIsRefused(String name, @TempDir Path temporary) throws IOException {
        Path outside = Files.createDirectories(temporary.resolve("outside"));
        Path secret = Files.writeString(outside.resolve("secret"), "secret");
        Path container = Files.createDirectories(temporary.resolve("photos.zarr"));
        Files.createSymbolicLink(container.resolve("link"), secret);
        Files.createSymbolicLink(container.resolve("folder"), outside);
        assertThatThrownBy(() -> BlockFiles.stored(new FolderBoundary(container), name))
                .isInstanceOf(CorruptContainerException.class)
                .hasMessageContaining("photos.zarr")
                .hasMessageContaining("'" + name + "' should lie in it, but a link leads out of it");
    }

    @Test
    void aFolderThatIsALinkHasItsFiles(@TempDir Path temporary) throws IOException {
        Path container = Files.createDirectories(temporary.resolve("photos.zarr"));
        Files.writeString(container.resolve("0"), "chunk");
        Files.createSymbolicLink(container.resolve("1"), Path.of("0"));
        Path link = Files.createSymbolicLink(temporary.resolve("link.zarr"), container);
        var folder = new FolderBoundary(link);
        assertThat(BlockFiles.stored(folder, "0")).isEqualTo(link.resolve("0"));
        assertThat(BlockFiles.stored(folder, "1")).isEqualTo(link.resolve("1"));
        assertThat(BlockFiles.stored(folder, "missing")).isEqualTo(link.resolve("missing"));
    }
}
