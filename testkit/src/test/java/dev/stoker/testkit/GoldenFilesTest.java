package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Format;
import dev.stoker.format.StkFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The format never changes. If this fails, what was packed by others has become unreadable: change the code, not the
 * golden files.
 */
class GoldenFilesTest {
    @TempDir
    Path folder;

    @Test
    void aContainerOfVersionOneIsRead() throws IOException {
        try (Container container = Container.open(golden("version-1.stk"))) {
            Same.assertSame(container, GoldenFiles.splitSamples());
            assertThat(Same.isIntact(container)).isTrue();
        }
    }

    @Test
    void aSidecarOfVersionOneIsRead() throws IOException {
        Path place = golden("version-1.plain");
        golden("version-1.plain.stkx");
        try (Container container = Container.open(place)) {
            assertThat(container.index().isPacked()).isTrue();
            Same.assertSame(container, GoldenFiles.samples().build());
            assertThat(Same.isIntact(container)).isTrue();
        }
    }

    @Test
    void aContainerOfVersionOneIsWritten() throws IOException {
        Path place = pack(new StkFormat(), GoldenFiles.splitSamples());
        assertThat(place).hasSameBinaryContentAs(golden("version-1.stk"));
    }

    @Test
    void aSidecarOfVersionOneIsWritten() throws IOException {
        Path place = pack(new PlainFormat(), GoldenFiles.samples().build());
        assertThat(Sidecar.beside(place)).hasSameBinaryContentAs(golden("version-1.plain.stkx"));
    }

    private Path pack(Format format, MemorySamples samples) throws IOException {
        return GoldenFiles.pack(format, Files.createDirectory(folder.resolve("new")), samples);
    }

    private Path golden(String name) throws IOException {
        try (InputStream bytes =
                Objects.requireNonNull(GoldenFilesTest.class.getResourceAsStream("/golden/" + name), name)) {
            Path copy = folder.resolve(name);
            Files.copy(bytes, copy);
            return copy;
        }
    }
}
