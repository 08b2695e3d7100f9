package dev.stoker.formats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Capability;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import dev.stoker.json.Json;
import dev.stoker.verify.Verifier;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a release wrote, every later one reads, with its sidecar and without. If this fails, containers of users have
 * become unreadable: change the code, not the golden files. What is written may change; {@link GoldenReleases} makes the
 * files of a new release.
 */
class GoldenReleasesTest {
    @TempDir
    Path folder;

    /** A container of a release. */
    record Golden(Path release, Map<?, ?> about) {
        String text(String name) {
            return (String) Objects.requireNonNull(about.get(name));
        }

        @Override
        public String toString() {
            return release.getFileName() + "/" + text("file");
        }
    }

    static Stream<Golden> containers() throws IOException {
        return releases().stream().flatMap(release -> {
            Map<?, ?> expected = (Map<?, ?>) Json.parse(read(release.resolve(GoldenReleases.EXPECTED)), "expected");
            return ((List<?>) expected.get("containers")).stream().map(one -> new Golden(release, (Map<?, ?>) one));
        });
    }

    private static List<Path> releases() throws IOException {
        try {
            Path golden = Path.of(Objects.requireNonNull(GoldenReleasesTest.class.getResource("/golden"))
                    .toURI());
            try (Stream<Path> releases = Files.list(golden)) {
                return releases.sorted().toList();
            }
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void everyFormatThatIsWrittenHasOne() throws IOException {
        List<String> golden =
                containers().map(one -> one.text("format")).distinct().toList();
        assertThat(golden)
                .containsAll(Formats.all().stream()
                        .filter(format -> format.can(Capability.WRITE))
                        .map(Format::name)
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("containers")
    void isRead(Golden golden) throws IOException {
        try (Container container = Container.open(copy(golden), golden.text("format"))) {
            assertThat(GoldenReleases.fields(container))
                    .isEqualTo(golden.about().get("fields"));
            Verifier.Report report = Verifier.verify(container, 1, new Progress());
            assertThat(report.listed()).isEmpty();
            assertThat(report.unchecked()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("containers")
    void isReadWithoutItsSidecar(Golden golden) throws IOException {
        Path copy = copy(golden);
        Files.deleteIfExists(Sidecar.beside(Formats.fileOf(copy)));
        try (Container container = Container.open(copy, golden.text("format"))) {
            assertThat(GoldenReleases.fields(container))
                    .isEqualTo(golden.about().get("fields_without_sidecar"));
        }
    }

    /** Copied, since a reader may write a sidecar. */
    private Path copy(Golden golden) throws IOException {
        try (Stream<Path> all = Files.walk(golden.release())) {
            for (Path path : all.toList()) {
                Path to = folder.resolve(golden.release().relativize(path).toString());
                if (!path.equals(golden.release())) {
                    Files.copy(path, to);
                }
            }
        }
        return folder.resolve(golden.text("file"));
    }
}
