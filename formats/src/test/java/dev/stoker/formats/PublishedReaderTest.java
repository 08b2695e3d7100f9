package dev.stoker.formats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.format.Capability;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Python;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The reader that the specification publishes reads every value of every format: the specification is enough. */
class PublishedReaderTest {
    private static final int MAX_LINES = 170;
    private static final String DUMP = """
            import sys
            sys.path.insert(0, sys.argv[1])
            from read_index import Container
            container = Container(sys.argv[2])
            for i in range(len(container)):
                for name in container.fields:
                    container.value(i, name)
                    print(container.bytes(i, name).tobytes().hex())
            """;

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    static Stream<Format> written() {
        return Formats.all().stream()
                .filter(format -> format.can(Capability.WRITE) && format.can(Capability.VARIABLE_LENGTH));
    }

    @ParameterizedTest
    @MethodSource("written")
    void readsEveryValue(Format format) {
        Python python = Python.require("docs/format/requirements.txt");
        var shop = new Workshop(format, FormatOptions.NONE, folder, seed.random());
        for (int round = 0; round < 3; round++) {
            MemorySamples samples = shop.randomSamples().next(7);
            Path place = Formats.fileOf(shop.pack(samples, "container" + round));
            String out = python.output(DUMP, root().resolve("docs/format"), place);
            var expected = new StringBuilder();
            for (long i = 0; i < samples.count(); i++) {
                for (int f = 0; f < samples.schema().size(); f++) {
                    expected.append(HexFormat.of().formatHex(samples.bytes(i, f)))
                            .append('\n');
                }
            }
            assertThat(out.strip()).isEqualTo(expected.toString().strip());
        }
    }

    @Test
    void isShort() throws IOException {
        assertThat(Files.readAllLines(root().resolve("docs/format/read_index.py")))
                .hasSizeLessThanOrEqualTo(MAX_LINES);
    }

    private static Path root() {
        return Path.of(System.getProperty("stoker.root"));
    }
}
