package dev.stoker.text;

import dev.stoker.StokerException;
import dev.stoker.TestSeed;
import dev.stoker.json.Json;
import dev.stoker.json.RandomJson;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Damaged input is refused with our exception or read as something valid; it never does anything else. */
@Timeout(60)
class ParserFuzzTest {
    private static final int INPUTS = 200_000;

    private interface Parser {
        void parse(byte[] input);
    }

    @Test
    void json() {
        RandomGenerator random = TestSeed.random("ParserFuzzTest.json");
        byte[] likely = "{}[],:\"\\u0dD8 \n\t-+.eEtfn".getBytes(StandardCharsets.UTF_8);
        byte[] seed = new byte[0];
        for (int i = 0; i < INPUTS; i++) {
            if (i % 50 == 0) {
                seed = Json.write(RandomJson.value(random, 4)).getBytes(StandardCharsets.UTF_8);
            }
            run(mutated(seed, likely, random), input -> {
                Object value = Json.parse(input, "fuzz");
                check(Objects.equals(Json.parse(Json.write(value), "again"), value));
            });
        }
    }

    @Test
    void delimited() {
        RandomGenerator random = TestSeed.random("ParserFuzzTest.delimited");
        byte[] likely = ",\"\"\r\n\t".getBytes(StandardCharsets.UTF_8);
        byte[] seed = "\uFEFFa,b,ä\r\n1,\"x,\n\"\"y\"\"\",€\r\n,,\n\"\",\"😀\",z\n".getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < INPUTS; i++) {
            run(mutated(seed, likely, random), input -> {
                var reader = DelimitedReader.csv(new ByteArrayInputStream(input), "fuzz");
                while (reader.next()) {
                    check(reader.row().size() == reader.header().size());
                }
            });
        }
    }

    private static void run(byte[] input, Parser parser) {
        try {
            parser.parse(input);
        } catch (StokerException e) {
            if (!e.getMessage().startsWith("[fuzz] line ")) {
                throw new AssertionError("no place in: " + e.getMessage(), e);
            }
        } catch (RuntimeException | Error e) {
            throw new AssertionError("input " + HexFormat.of().formatHex(input), e);
        }
    }

    /** Plain, since an AssertJ assertion for each of so many inputs takes longer than the parser. */
    private static void check(boolean held) {
        if (!held) {
            throw new AssertionError("read as something else");
        }
    }

    /** Some bytes replaced, removed, doubled or cut off. */
    private static byte[] mutated(byte[] seed, byte[] likely, RandomGenerator random) {
        byte[] bytes = seed.clone();
        for (int k = random.nextInt(5); k >= 0 && bytes.length > 0; k--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] = (byte) random.nextInt();
                case 1, 2 -> bytes[at] = likely[random.nextInt(likely.length)];
                case 3 -> bytes = Arrays.copyOf(bytes, random.nextInt(20) == 0 ? at : bytes.length - 1);
                default -> {
                    int count = random.nextInt(bytes.length - at + 1);
                    byte[] longer = Arrays.copyOf(bytes, bytes.length + count);
                    System.arraycopy(bytes, at, longer, bytes.length, count);
                    bytes = longer;
                }
            }
        }
        return bytes;
    }
}
