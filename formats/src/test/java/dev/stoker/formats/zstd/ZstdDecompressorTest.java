package dev.stoker.formats.zstd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.format.Container;
import dev.stoker.format.Formats;
import dev.stoker.format.Options;
import dev.stoker.pack.BadFiles;
import dev.stoker.pack.FolderSource;
import dev.stoker.pack.Packer;
import dev.stoker.pack.Progress;
import dev.stoker.pack.SourceRequest;
import dev.stoker.pack.Sources;
import dev.stoker.sample.Samples;
import io.airlift.compress.v3.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZstdDecompressorTest {
    @TempDir
    private Path folder;

    private byte[] plain = {};

    @BeforeEach
    void pack() throws IOException {
        var random = new Random(5);
        for (String name : new String[] {"a", "b"}) {
            var bytes = new byte[300_000];
            random.nextBytes(bytes);
            Arrays.fill(bytes, 0, 100_000, (byte) 7);
            Files.createDirectories(folder.resolve("src/" + name));
            Files.write(folder.resolve("src/" + name + "/1.bin"), bytes);
        }
        Path out = folder.resolve("source.stk");
        var settings = new Packer.Settings(Options.NONE, 2, false, false, false);
        try (Samples samples = FolderSource.list(folder.resolve("src"), false, 2)) {
            new Packer(samples, Formats.named("stk"), out, settings, new Progress()).run();
        }
        plain = Files.readAllBytes(out);
    }

    private static byte[] frame(byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var zstd = new ZstdOutputStream(out)) {
            zstd.write(bytes);
        }
        return out.toByteArray();
    }

    private SourceRequest request(byte[] compressed) throws IOException {
        Path path = Files.write(folder.resolve("source.stk.zst"), compressed);
        return new SourceRequest(path, null, true, folder.resolve("out.spool"), 2, BadFiles.refused());
    }

    @Test
    void severalFramesAreOneContainer() throws IOException {
        var frames = new ByteArrayOutputStream();
        frames.write(frame(Arrays.copyOf(plain, 1000)));
        frames.write(frame(Arrays.copyOfRange(plain, 1000, plain.length)));
        try (Samples samples = Sources.open(request(frames.toByteArray()));
                Container source = Container.open(folder.resolve("source.stk"))) {
            assertThat(samples.count()).isEqualTo(2);
            assertThat(samples.schema().classes()).containsExactly("a", "b");
            for (long i = 0; i < 2; i++) {
                var bytes = new byte[300_000];
                samples.read(i, 1, 0, MemorySegment.ofArray(bytes));
                assertThat(source.value(i, 1).mismatch(MemorySegment.ofArray(bytes)))
                        .isEqualTo(-1);
            }
        }
        assertThat(folder.resolve("out.spool")).doesNotExist();
    }

    @Test
    void damageIsNamedAndNothingIsLeft() throws IOException {
        byte[] whole = frame(plain);
        var random = new Random(11);
        for (int i = 0; i < 200; i++) {
            byte[] damaged = i < 100 ? Arrays.copyOf(whole, 1 + random.nextInt(whole.length - 1)) : whole.clone();
            if (i >= 100) {
                damaged[random.nextInt(damaged.length)] ^= (byte) (1 + random.nextInt(255));
            }
            SourceRequest request = request(damaged);
            assertThatThrownBy(() -> Sources.open(request).close())
                    .as("damage %d of seed 11", i)
                    .isInstanceOf(StokerException.class)
                    .hasMessageStartingWith("[" + folder.resolve("source.stk.zst") + "] ");
            assertThat(folder.resolve("out.spool")).doesNotExist();
        }
    }

    @Test
    void whatIsNoZstdIsNamed() throws IOException {
        SourceRequest request = request(new byte[100]);
        assertThatThrownBy(() -> Sources.open(request))
                .hasMessage("[" + folder.resolve("source.stk.zst")
                        + "] cannot be read: not zstd, damaged, or of a kind that is not supported (Invalid magic prefix:"
                        + " 0: offset=16); check it with: zstd --test, or decompress it first");
    }
}
