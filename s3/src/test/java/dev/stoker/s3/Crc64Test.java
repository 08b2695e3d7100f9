package dev.stoker.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.testkit.Seed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class Crc64Test {
    @RegisterExtension
    final Seed seed = new Seed();

    private static long crc(byte[] bytes, int from, int to) {
        var crc = new Crc64();
        crc.update(ByteBuffer.wrap(bytes, from, to - from));
        return crc.value();
    }

    @Test
    void theCheckValue() {
        byte[] nine = "123456789".getBytes(StandardCharsets.US_ASCII);
        assertThat(crc(nine, 0, 9)).isEqualTo(0xAE8B14860A799888L);
    }

    @Test
    void partsMakeTheWhole() {
        RandomGenerator random = seed.random();
        var bytes = new byte[5000];
        random.nextBytes(bytes);
        for (int i = 0; i < 50; i++) {
            int cut = random.nextInt(bytes.length + 1);
            long both = Crc64.combine(crc(bytes, 0, cut), crc(bytes, cut, bytes.length), bytes.length - cut);
            assertThat(both).isEqualTo(crc(bytes, 0, bytes.length));
        }
    }
}
