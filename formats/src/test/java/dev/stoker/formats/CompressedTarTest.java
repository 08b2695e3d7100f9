package dev.stoker.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.sample.Samples;
import dev.stoker.source.SourceRequest;
import dev.stoker.source.Sources;
import dev.stoker.write.Packer;
import io.airlift.compress.v3.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tar as a source, plain and compressed, gives the same container. */
class CompressedTarTest {
    @TempDir
    private Path folder;

    @Test
    void everyTarGivesTheSameContainer() throws IOException {
        for (String name : List.of("a/1.jpg", "a/ü 2.jpg", "b/empty.jpg")) {
            Files.createDirectories(folder.resolve("src").resolve(name).getParent());
            Files.writeString(folder.resolve("src").resolve(name), name.contains("empty") ? "" : "bytes of " + name);
        }
        Path tar = pack(folder.resolve("src"), "plain.tar", false);
        try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(folder.resolve("c.tar.gz")))) {
            Files.copy(tar, gzip);
        }
        try (OutputStream zstd = new ZstdOutputStream(Files.newOutputStream(folder.resolve("c.tar.zst")))) {
            Files.copy(tar, zstd);
        }
        byte[] expected = Files.readAllBytes(pack(tar, "plain.stk", true));
        // Named as if it were not compressed, and as if by the other program.
        Files.copy(folder.resolve("c.tar.gz"), folder.resolve("gzip.tar"));
        Files.copy(folder.resolve("c.tar.zst"), folder.resolve("zstd.tar.gz"));
        for (String compressed : List.of("c.tar.gz", "c.tar.zst", "gzip.tar", "zstd.tar.gz")) {
            Path packed = pack(folder.resolve(compressed), compressed + ".stk", true);
            assertThat(Files.readAllBytes(packed)).as(compressed).isEqualTo(expected);
        }
        try (Container container = Container.open(folder.resolve("plain.stk"));
                Stream<Path> files = Files.list(folder)) {
            assertThat(container.text(1, container.schema().place("key"))).isEqualTo("a/ü 2.jpg");
            assertThat(container.text(1, container.schema().place("data"))).isEqualTo("bytes of a/ü 2.jpg");
            assertThat(container.schema().classes()).containsExactly("a", "b");
            assertThat(files.map(Path::toString)).noneMatch(name -> name.contains("spool"));
        }
    }

    /** Where it is not unpacked on the way, it is said what it is. */
    @Test
    void whatIsCompressedAsAWholeIsRefusedByName() throws IOException {
        byte[][] heads = {
            {0x1f, (byte) 0x8b, 8}, {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd}, "BZh9".getBytes(StandardCharsets.US_ASCII),
        };
        List<String> names = List.of("gzip", "zstd", "bzip2");
        for (int i = 0; i < heads.length; i++) {
            String name = names.get(i);
            Path file = Files.write(folder.resolve("x.tar." + i), Arrays.copyOf(heads[i], 100));
            assertThatThrownBy(() -> Container.open(file).close())
                    .isInstanceOf(StokerException.class)
                    .hasMessageStartingWith("[" + file + "] is compressed with " + name
                            + " as a whole, so no sample can be" + " found in it; decompress it");
        }
        assertThatThrownBy(() -> Container.open(folder.resolve("x.tar.0")).close())
                .hasMessageEndingWith(", or pack it: stoker pack decompresses gzip and zstd");
    }

    @Test
    void whatHoldsNothingKnownIsNamedAsTheUserDoes() throws IOException {
        Path file = folder.resolve("notes.txt.gz");
        try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(file))) {
            gzip.write("only notes".getBytes(StandardCharsets.US_ASCII));
        }
        assertThatThrownBy(() -> pack(file, "notes.stk", true))
                .isInstanceOf(StokerException.class)
                .hasMessageStartingWith("[" + file + "] the decompressed file is in no format that Stoker knows")
                .hasMessageNotContaining("spool");
    }

    @Test
    void recordsThatWereCompressedAsAWholeArePacked() throws IOException {
        Files.createDirectories(folder.resolve("src"));
        Files.writeString(folder.resolve("src/1.jpg"), "bytes");
        Path records = pack(folder.resolve("src"), "plain.tfrecord", false);
        try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(folder.resolve("x.tfrecord.gz")))) {
            Files.copy(records, gzip);
        }
        try (Container container = Container.open(pack(folder.resolve("x.tfrecord.gz"), "x.stk", false))) {
            assertThat(container.text(0, container.schema().place("data"))).isEqualTo("bytes");
        }
    }

    private Path pack(Path source, String name, boolean labels) {
        Path out = folder.resolve(name);
        var request =
                new SourceRequest(source, null, labels, folder.resolve(name + ".spool"), 2, BadFilePolicy.refused());
        var settings = new Packer.Settings(FormatOptions.NONE, 2, false, false, false);
        try (Samples samples = Sources.open(request)) {
            new Packer(samples, Formats.forOutput(out), out, settings, new Progress()).run();
        }
        return out;
    }
}
