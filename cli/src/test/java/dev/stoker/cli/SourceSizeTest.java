package dev.stoker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a reader can take in at once: packages and files stay small. */
class SourceSizeTest {
    private static final Path ROOT = Path.of(System.getProperty("stoker.root"));
    private static final int MOST_FILES = 35;
    private static final int MOST_LINES = 400;

    private static List<Path> sources() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            List<Path> roots = modules.map(module -> module.resolve("src/main/java"))
                    .filter(Files::isDirectory)
                    .toList();
            assertThat(roots).hasSizeGreaterThan(10);
            return roots.stream()
                    .flatMap(SourceSizeTest::files)
                    .filter(path -> path.toString().endsWith(".java"))
                    .toList();
        }
    }

    private static Stream<Path> files(Path root) {
        try (Stream<Path> all = Files.walk(root)) {
            return all.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void noPackageIsADrawer() throws IOException {
        Map<Path, Long> counts =
                sources().stream().collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
        assertThat(counts).allSatisfy((folder, count) -> assertThat(count).isLessThanOrEqualTo(MOST_FILES));
    }

    @Test
    void noFileIsTooLong() throws IOException {
        for (Path source : sources()) {
            assertThat(Files.readAllLines(source)).as(source.toString()).hasSizeLessThanOrEqualTo(MOST_LINES);
        }
    }
}
