package dev.stoker.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.CorruptContainerException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
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
}
