package dev.stoker.formats.zarr.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.testkit.Seed;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CombinedCrc32Test {
    @RegisterExtension
    final Seed seed = new Seed();

    @Test
    void piecesAreJoinedAsIfTheyWereOne() {
        RandomGenerator random = seed.random();
        for (int n = 0; n < 500; n++) {
            byte[] bytes = new byte[random.nextInt(2000)];
            random.nextBytes(bytes);
            int cut = random.nextInt(bytes.length + 1);
            int joined = CombinedCrc32.join(crc(bytes, 0, cut), crc(bytes, cut, bytes.length), bytes.length - cut);
            assertThat(joined).isEqualTo(crc(bytes, 0, bytes.length));
        }
    }

    /** So many zeros that their length needs more than 32 bits: joined from halves, which must agree. */
    @Test
    void lengthsHaveMoreThan32Bits() {
        int crc = crc(new byte[1 << 20], 0, 1 << 20);
        for (long length = 1 << 20; length < 1L << 40; length *= 2) {
            int doubled = CombinedCrc32.join(crc, crc, length);
            assertThat(CombinedCrc32.join(doubled, crc, length))
                    .isEqualTo(CombinedCrc32.join(crc, doubled, 2 * length));
            crc = doubled;
        }
    }

    private static int crc(byte[] bytes, int from, int to) {
        var crc = new CRC32();
        crc.update(bytes, from, to - from);
        return (int) crc.getValue();
    }
}
