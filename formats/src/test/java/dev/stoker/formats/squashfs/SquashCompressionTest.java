package dev.stoker.formats.squashfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.container.ValueLocation;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.StkFormat;
import dev.stoker.formats.Trees;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.testkit.Flip;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Same;
import dev.stoker.testkit.Workshop;
import dev.stoker.write.Packer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compressed images, made by squashfs-tools. */
class SquashCompressionTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private Path pack(Samples samples, String compression) {
        Path place = folder.resolve("made.sqsh");
        var options = new FormatOptions(Map.of(), Map.of("compression", compression));
        var how = new Packer.Settings(options, 2, false, true, true);
        new Packer(samples, new SquashFormat(), place, how, new Progress()).run();
        return place;
    }

    /** In another order than any directory has, and with a field that only the sidecar can hold. */
    private static MemorySamples samples() {
        var samples = MemorySamples.of(
                new Field(Field.KEY, new FieldType.Text()),
                new Field(Field.DATA, new FieldType.Bytes()),
                new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)));
        var files = new TreeMap<>(Trees.usual()).descendingMap();
        long label = 0;
        for (Map.Entry<String, String> file : files.entrySet()) {
            samples.add(file.getKey(), file.getValue().getBytes(StandardCharsets.UTF_8), label++);
        }
        return samples.build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd", "gzip", "lz4", "xz"})
    void everythingComesBackAndOthersReadIt(String compression) throws Exception {
        Trees.require("sqfstar");
        MemorySamples samples = samples();
        Path image = pack(samples, compression);
        try (Container container = Container.open(image)) {
            Same.assertSame(container, samples);
            assertThat(Same.isIntact(container)).isTrue();
            assertThat(container.index().isPacked()).isTrue();
        }
        assertThat(Trees.run(folder, "unsquashfs", "-s", image.toString())).contains("Compression " + compression);
        Path out = folder.resolve("out");
        Trees.run(folder, "unsquashfs", "-no-progress", "-d", out.toString(), image.toString());
        assertThat(Trees.read(out)).isEqualTo(Trees.shown(Trees.usual()));
        assertNothingElseIsThere("made.sqsh", "made.sqsh.stkx", "out");
    }

    private void assertNothingElseIsThere(String... names) throws IOException {
        try (Stream<Path> there = Files.list(folder)) {
            assertThat(there.map(path -> path.getFileName().toString())).containsExactlyInAnyOrder(names);
        }
    }

    @Test
    void theSameSamplesMakeTheSameImage() {
        Trees.require("sqfstar");
        byte[] first = read(pack(samples(), "zstd"));
        assertThat(read(pack(samples(), "zstd"))).isEqualTo(first);
    }

    private static byte[] read(Path path) {
        return Workshop.read(path);
    }

    @Test
    void aDamagedValueIsNotPassedOn() {
        Trees.require("sqfstar");
        var shop = new Workshop(new StkFormat(), FormatOptions.NONE, folder, new SplittableRandom(1));
        Path source = shop.pack(samples(), "source");
        try (Container container = Container.openToCopy(source)) {
            int data = container.schema().place(Field.DATA);
            ValueLocation place = Objects.requireNonNull(container.place(1, data, 0));
            try (var flip = new Flip(place.file(), place.offset(), 0)) {
                assertThatThrownBy(() -> pack(container, "zstd"))
                        .as("%s", flip)
                        .isInstanceOf(StokerException.class)
                        .hasMessageContaining(container.describe(1) + ", field 'data': the checksum does not match");
            }
        }
    }

    @Test
    void anUnknownCompressionIsRefused() throws IOException {
        assertThatThrownBy(() -> pack(samples(), "brotli"))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("'brotli'")
                .hasMessageContaining("zstd, gzip, lz4, xz");
        assertThat(folder.resolve("made.sqsh")).doesNotExist();
        assertThat(Sidecar.beside(folder.resolve("made.sqsh"))).doesNotExist();
    }
}
