package dev.stoker.formats.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.block.Codec;
import dev.stoker.block.CodecPipeline;
import dev.stoker.block.Codecs;
import dev.stoker.testkit.Seed;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a codec writes it reads; what it did not write it refuses by an IOException. */
class LibraryCodecTest {
    @RegisterExtension
    final Seed seed = new Seed();

    private static byte[] text(RandomGenerator random, int length) {
        var bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ('a' + random.nextInt(1 + i % 5));
        }
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd", "lz4", "lz4-frame", "snappy", "zlib"})
    void whatIsWrittenIsRead(String name) throws IOException {
        RandomGenerator random = seed.random();
        Codec codec = Codecs.named(name);
        for (int length : new int[] {0, 1, 7, 1_000, 200_000}) {
            byte[] plain = text(random, length);
            MemorySegment stored = codec.encode(MemorySegment.ofArray(plain));
            assertThat(codec.encode(MemorySegment.ofArray(plain)).mismatch(stored))
                    .isEqualTo(-1);
            assertThat(CodecPipeline.of(name).decode(stored, length).toArray(ValueLayout.JAVA_BYTE))
                    .isEqualTo(plain);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd", "lz4", "lz4-frame", "snappy"})
    void damageIsAnIoException(String name) {
        RandomGenerator random = seed.random();
        byte[] stored = Codecs.named(name)
                .encode(MemorySegment.ofArray(text(random, 3_000)))
                .toArray(ValueLayout.JAVA_BYTE);
        for (int i = 0; i < 3_000; i++) {
            byte[] damaged = java.util.Arrays.copyOf(
                    stored, random.nextInt(3) == 0 ? random.nextInt(stored.length) : stored.length);
            for (int flips = 0; flips < 2 && damaged.length > 0; flips++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            try {
                CodecPipeline.of(name).decode(MemorySegment.ofArray(damaged), random.nextInt(6_000));
            } catch (IOException e) {
                assertThat(e.getMessage()).isNotEmpty();
            }
        }
    }

    /** As polars writes them: blocks refer to the 64 KiB before them. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void linkedBlocksAreRead(boolean checked) throws IOException {
        RandomGenerator random = seed.random();
        for (int length : new int[] {0, 1, 7, 1_000, 65_536, 65_537, 300_000}) {
            byte[] plain = text(random, length);
            byte[] stored = LinkedFrames.of(plain, checked);
            assertThat(CodecPipeline.of("lz4-frame")
                            .decode(MemorySegment.ofArray(stored), length)
                            .toArray(ValueLayout.JAVA_BYTE))
                    .isEqualTo(plain);
        }
        var noise = new byte[100_000];
        random.nextBytes(noise);
        byte[] stored = LinkedFrames.of(noise, checked);
        assertThat(CodecPipeline.of("lz4-frame")
                        .decode(MemorySegment.ofArray(stored), noise.length)
                        .toArray(ValueLayout.JAVA_BYTE))
                .isEqualTo(noise);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void damageOfLinkedBlocksIsAnIoException(boolean checked) {
        RandomGenerator random = seed.random();
        byte[] plain = text(random, 3_000);
        byte[] stored = LinkedFrames.of(plain, checked);
        int refused = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = java.util.Arrays.copyOf(
                    stored, random.nextInt(3) == 0 ? random.nextInt(stored.length) : stored.length);
            for (int flips = 0; flips < 2 && damaged.length > 0; flips++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            try {
                byte[] decoded = CodecPipeline.of("lz4-frame")
                        .decode(MemorySegment.ofArray(damaged), plain.length)
                        .toArray(ValueLayout.JAVA_BYTE);
                assertThat(checked && !java.util.Arrays.equals(decoded, plain))
                        .as("damage that checksums did not find")
                        .isFalse();
            } catch (IOException e) {
                assertThat(e.getMessage()).isNotEmpty();
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(5_000);
    }
}
