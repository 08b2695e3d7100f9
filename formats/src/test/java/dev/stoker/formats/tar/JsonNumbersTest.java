package dev.stoker.formats.tar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.json.Json;
import dev.stoker.sample.DType;
import dev.stoker.testkit.Seed;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class JsonNumbersTest {
    @RegisterExtension
    final Seed seed = new Seed();

    @Test
    void everyNumberComesBackBitByBit() {
        var random = seed.random();
        for (DType dtype : DType.values()) {
            for (int n = 0; n < 3_000; n++) {
                var bytes = new byte[dtype.bytes()];
                random.nextBytes(bytes);
                // Often all bits of the exponent, so that NaN and infinity come.
                if (dtype.isFloat() && n % 3 == 0) {
                    bytes[bytes.length - 1] |= 0x7f;
                    bytes[bytes.length - 2] |= (byte) 0xf0;
                }
                if (dtype == DType.BOOL) {
                    bytes[0] &= 1;
                }
                Object written = JsonNumbers.encode(dtype, MemorySegment.ofArray(bytes));
                Object read = Json.parse(Json.write(written), "json");
                assertThat(JsonNumbers.decode(dtype, read))
                        .as("%s %s", dtype, written)
                        .isEqualTo(bytes);
            }
        }
    }

    @Test
    void whatDoesNotFitIsRefused() {
        assertThat(JsonNumbers.decode(DType.INT8, 128L)).isNull();
        assertThat(JsonNumbers.decode(DType.UINT8, -1L)).isNull();
        assertThat(JsonNumbers.decode(DType.INT64, BigInteger.TWO.pow(63))).isNull();
        assertThat(JsonNumbers.decode(DType.UINT64, BigInteger.TWO.pow(63))).containsExactly(0, 0, 0, 0, 0, 0, 0, -128);
        assertThat(JsonNumbers.decode(DType.FLOAT32, 0.1)).isNull();
        assertThat(JsonNumbers.decode(DType.FLOAT32, "NaN:1")).isNull();
        assertThat(JsonNumbers.decode(DType.FLOAT32, "NaN:17fc00000")).isNull();
        assertThat(JsonNumbers.decode(DType.FLOAT64, "1.0")).isNull();
        assertThat(JsonNumbers.decode(DType.BOOL, 1L)).isNull();
        assertThat(JsonNumbers.decodeText(DType.INT64, "+1")).isNull();
        assertThat(JsonNumbers.decodeText(DType.INT64, "1 ")).isNull();
    }
}
