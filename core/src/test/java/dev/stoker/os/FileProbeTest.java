package dev.stoker.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileProbeTest {
    @TempDir
    private Path folder;

    @Test
    void filesAndFoldersAreTold() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(FileProbe.exists(file)).isTrue();
        assertThat(FileProbe.isFile(file)).isTrue();
        assertThat(FileProbe.isFolder(file)).isFalse();
        assertThat(FileProbe.exists(folder)).isTrue();
        assertThat(FileProbe.isFile(folder)).isFalse();
        assertThat(FileProbe.isFolder(folder)).isTrue();
        assertThat(FileProbe.exists(Path.of("/dev/null"))).isTrue();
        assertThat(FileProbe.isFile(Path.of("/dev/null"))).isFalse();
        assertThat(FileProbe.isLocal(file)).isTrue();
    }

    @Test
    void linksAreFollowed() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(FileProbe.isFile(Files.createSymbolicLink(folder.resolve("a"), file)))
                .isTrue();
        assertThat(FileProbe.isFolder(Files.createSymbolicLink(folder.resolve("b"), folder)))
                .isTrue();
        assertThat(FileProbe.exists(Files.createSymbolicLink(folder.resolve("c"), folder.resolve("missing"))))
                .isFalse();
    }

    @Test
    void whatCannotBeIsNotThere() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(FileProbe.exists(folder.resolve("missing"))).isFalse();
        assertThat(FileProbe.exists(folder.resolve("missing/below"))).isFalse();
        assertThat(FileProbe.exists(file.resolve("below"))).isFalse();
        assertThat(FileProbe.exists(folder.resolve("x".repeat(256)))).isFalse();
    }

    /** {@link Files#exists} says no. */
    @Test
    void whatCannotBeToldIsAnError() throws IOException {
        Path loop = folder.resolve("loop");
        Files.createSymbolicLink(loop, loop);
        assertThatThrownBy(() -> FileProbe.exists(loop))
                .isInstanceOf(StokerException.class)
                .hasMessage("[" + loop + "] cannot be read: Too many levels of symbolic links");
    }

    @Test
    void aFolderIsListed() throws IOException {
        Path one = Files.createFile(folder.resolve("1.txt"));
        Path two = Files.createDirectory(folder.resolve("2.stk"));
        Path hidden = Files.createFile(folder.resolve(".3"));
        assertThat(FileProbe.in(folder)).containsExactlyInAnyOrder(one, two, hidden);
        assertThat(FileProbe.in(folder, "*.stk")).containsExactly(two);
        assertThatThrownBy(() -> FileProbe.in(one, "*")).isInstanceOf(NotDirectoryException.class);
        Path missing = folder.resolve("missing");
        assertThatThrownBy(() -> FileProbe.in(missing))
                .isInstanceOf(StokerException.class)
                .hasMessage("[" + missing + "] cannot be read: there is no such file or folder");
    }
}
