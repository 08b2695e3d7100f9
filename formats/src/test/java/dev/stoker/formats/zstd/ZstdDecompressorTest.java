package dev.stoker.formats.zstd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.formats.shared.zstd.ZstdFrames;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.listing.FolderSource;
import dev.stoker.sample.Samples;
import dev.stoker.source.SourceRequest;
import dev.stoker.source.Sources;
import dev.stoker.write.Packer;
import io.airlift.compress.v3.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
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
        var settings = new Packer.Settings(FormatOptions.NONE, 2, false, false, false);
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
        return new SourceRequest(path, null, true, folder.resolve("out.spool"), 2, BadFilePolicy.refused());
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

    /** A frame of zeros in a few bytes: its descriptor and what follows that, and blocks of one repeated byte. */
    private static byte[] zeros(long count, int... described) {
        var out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd});
        for (int b : described) {
            out.write(b);
        }
        for (long left = count; left > 0; left -= 128 << 10) {
            long size = Math.min(left, 128 << 10);
            long header = size << 3 | 2 | (left == size ? 1 : 0);
            out.writeBytes(new byte[] {(byte) header, (byte) (header >> 8), (byte) (header >> 16), 0});
        }
        return out.toByteArray();
    }

    private static long decoded(byte[]... frames) throws IOException {
        var all = new ByteArrayOutputStream();
        for (byte[] frame : frames) {
            all.writeBytes(frame);
        }
        try (InputStream in = new ZstdDecompressor().open(new ByteArrayInputStream(all.toByteArray()))) {
            return in.transferTo(OutputStream.nullOutputStream());
        }
    }

    @Test
    void largeWindowsAreRefusedBeforeTheyGetMemory() throws IOException {
        byte[] small = frame(new byte[1000]);
        // The window as a power of two from 1 KiB on, or all that the frame is said to make.
        byte[] oneGiB = zeros(1 << 30, 0x00, 20 << 3);
        byte[] manyTiB = zeros(1 << 30, 0x00, 0xff);
        byte[] inOneSegment = zeros(1 << 30, 0xa0, 0, 0, 0, 0x40);
        byte[] endless = zeros(1 << 20, 0xe0, -1, -1, -1, -1, -1, -1, -1, -1);
        for (byte[] frame : List.of(oneGiB, manyTiB, inOneSegment, endless)) {
            assertThatThrownBy(() -> decoded(small, frame))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("it needs a window of ")
                    .hasMessageEndingWith(" bytes, but Stoker takes at most 134217728; decompress it first, with:"
                            + " zstd -d --long=31, or compress it without --long");
        }
        assertThat(decoded(small, zeros(1 << 20, 0x00, 17 << 3), small)).isEqualTo(2000 + (1 << 20));
    }

    @Test
    void framesAreFollowedHoweverTheyArrive() throws IOException {
        byte[] whole = frame(plain);
        var frames = new ZstdFrames();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < whole.length; i++) {
                frames.follow(whole, i, 1);
            }
        }
        assertThat(frames.mostBytes()).isBetween(2L * plain.length, 2L * plain.length + (512 << 10));
        assertThat(frames.window()).isBetween(1L << 10, 8L << 20);
        frames.follow(zeros(7, 0x00, 18 << 3), 0, 6);
        assertThat(frames.window()).isEqualTo(1L << 28);
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
