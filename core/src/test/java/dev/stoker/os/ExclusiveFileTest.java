package dev.stoker.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExclusiveFileTest {
    @TempDir
    private Path folder;

    private static ExclusiveFile open(Path path) throws IOException {
        return Objects.requireNonNull(ExclusiveFile.open(path), path + " is claimed");
    }

    @Test
    void oneWritesItAtATime() throws IOException {
        Path path = folder.resolve("x");
        try (ExclusiveFile first = open(path)) {
            assertThat(ExclusiveFile.open(path)).isNull();
            first.channel().write(ByteBuffer.wrap("first".getBytes(StandardCharsets.US_ASCII)));
            assertThat(ExclusiveFile.open(path)).isNull();
        }
        try (ExclusiveFile second = open(path)) {
            assertThat(second.channel().size()).isEqualTo(5);
            ByteBuffer read = ByteBuffer.allocate(5);
            second.channel().read(read);
            assertThat(new String(read.array(), StandardCharsets.US_ASCII)).isEqualTo("first");
        }
    }

    @Test
    void aLinkIsTheFileThatItLeadsTo() throws IOException {
        Path path = Files.createFile(folder.resolve("x"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), path);
        try (ExclusiveFile _ = open(link)) {
            assertThat(ExclusiveFile.open(path)).isNull();
        }
        open(path).close();
    }

    @Test
    void aNameThatWasGivenAwayIsFreeAgain() throws IOException {
        Path path = folder.resolve("x");
        try (ExclusiveFile first = open(path)) {
            Files.move(path, folder.resolve("y"));
            try (ExclusiveFile second = open(path)) {
                second.channel().write(ByteBuffer.wrap(new byte[] {2}));
                first.channel().write(ByteBuffer.wrap(new byte[] {1}));
                assertThat(ExclusiveFile.open(folder.resolve("y"))).isNull();
            }
        }
        assertThat(path).hasBinaryContent(new byte[] {2});
        assertThat(folder.resolve("y")).hasBinaryContent(new byte[] {1});
    }

    @Test
    void whatIsNoFileIsRefused() {
        assertThatThrownBy(() -> ExclusiveFile.open(folder)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> ExclusiveFile.open(folder.resolve("none/x"))).isInstanceOf(IOException.class);
    }
}
