package dev.stoker.formats.zarr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.testkit.Seed;
import io.airlift.compress.v3.lz4.Lz4JavaCompressor;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import java.util.zip.DataFormatException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class Lz4Test {
    @RegisterExtension
    final Seed seed = new Seed();

    private static byte[] bytes(RandomGenerator random) {
        byte[] bytes = new byte[random.nextInt(1, 100_000)];
        int letters = random.nextInt(1, 256);
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte)
                    (random.nextInt(20) > 0 && i > 300 ? bytes[i - random.nextInt(1, 300)] : random.nextInt(letters));
        }
        return bytes;
    }

    private static byte[] compressed(byte[] bytes) {
        var compressor = new Lz4JavaCompressor();
        byte[] out = new byte[compressor.maxCompressedLength(bytes.length)];
        return Arrays.copyOf(out, compressor.compress(bytes, 0, bytes.length, out, 0, out.length));
    }

    @Test
    void whatALibraryCompressedIsDecoded() throws DataFormatException {
        RandomGenerator random = seed.random();
        for (int n = 0; n < 200; n++) {
            byte[] bytes = bytes(random);
            byte[] stored = compressed(bytes);
            byte[] found = new byte[bytes.length];
            Lz4.decode(stored, 0, stored.length, found, 0, found.length);
            assertThat(found).isEqualTo(bytes);
        }
    }

    @Test
    void damageIsNoticedOrHarmless() {
        RandomGenerator random = seed.random();
        for (int n = 0; n < 2000; n++) {
            byte[] bytes = bytes(random);
            byte[] stored = compressed(Arrays.copyOf(bytes, Math.min(bytes.length, 500)));
            stored[random.nextInt(stored.length)] ^= (byte) (1 << random.nextInt(8));
            byte[] found = new byte[Math.min(bytes.length, 500)];
            try {
                Lz4.decode(stored, 0, random.nextInt(stored.length + 1), found, 0, found.length);
            } catch (DataFormatException e) {
                assertThat(e).hasMessageContaining("LZ4");
            }
        }
    }

    @Test
    void aLengthThatIsWrongIsNoticed() {
        byte[] stored = compressed(new byte[100]);
        for (int wrong : new int[] {0, 99, 101}) {
            assertThatThrownBy(() -> Lz4.decode(stored, 0, stored.length, new byte[wrong], 0, wrong))
                    .isInstanceOf(DataFormatException.class);
        }
    }
}
