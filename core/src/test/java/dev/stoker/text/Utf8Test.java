package dev.stoker.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.TestSeed;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class Utf8Test {
    @Test
    void everyCharacterIsWellFormed() {
        for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
            if (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE) {
                byte[] bytes = Character.toString(c).getBytes(StandardCharsets.UTF_8);
                assertThat(Utf8.firstMalformed(bytes, 0, bytes.length)).isEqualTo(-1);
            }
        }
    }

    @Test
    void agreesWithTheStrictDecoderOnThreeBytes() {
        byte[] bytes = new byte[3];
        var decoder = StandardCharsets.UTF_8.newDecoder();
        for (int value = 0x800000; value < 0x1000000; value += 7) {
            bytes[0] = (byte) (value >> 16);
            bytes[1] = (byte) (value >> 8);
            bytes[2] = (byte) value;
            compare(decoder, bytes);
        }
    }

    @Test
    void agreesWithTheStrictDecoderOnRandomBytes() {
        RandomGenerator random = TestSeed.random("Utf8Test");
        var decoder = StandardCharsets.UTF_8.newDecoder();
        byte[] leads = HexFormat.of().parseHex("61C3E0EDEFF0F1F4F5");
        for (int i = 0; i < 500_000; i++) {
            byte[] bytes = new byte[random.nextInt(9)];
            for (int k = 0; k < bytes.length; k++) {
                boolean lead = random.nextInt(3) == 0;
                bytes[k] = lead ? leads[random.nextInt(leads.length)] : (byte) (0x80 | random.nextInt(64));
            }
            compare(decoder, bytes);
        }
    }

    private static void compare(CharsetDecoder decoder, byte[] bytes) {
        decoder.reset();
        var in = ByteBuffer.wrap(bytes);
        var result = decoder.decode(in, CharBuffer.allocate(16), true);
        int expected = result.isError() ? in.position() : -1;
        int found = Utf8.firstMalformed(bytes, 0, bytes.length);
        if (found != expected) {
            assertThat(found).as(HexFormat.of().formatHex(bytes)).isEqualTo(expected);
        }
    }
}
