package dev.stoker.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MutatorTest {
    private static final byte[] SEED =
            "{\"length\": 1234, \"name\": \"x\"}\0\0\0\0\0\0\0\0".getBytes(StandardCharsets.UTF_8);

    @Test
    void theSameSeedMakesTheSameInputs() {
        var first = new Mutator(List.of(SEED), List.of("null"));
        var again = new Mutator(List.of(SEED), List.of("null"));
        for (long n = 0; n < 1_000; n++) {
            assertThat(first.next(new SplittableRandom(n))).isEqualTo(again.next(new SplittableRandom(n)));
        }
    }

    @Test
    void inputsDifferFromTheirSeedAndFromEachOther() {
        var mutator = new Mutator(List.of(SEED), List.of("null"));
        var inputs = new HashSet<String>();
        int words = 0;
        int shorter = 0;
        int longer = 0;
        for (long n = 0; n < 5_000; n++) {
            byte[] input = mutator.next(new SplittableRandom(n));
            inputs.add(Arrays.toString(input));
            words += new String(input, StandardCharsets.ISO_8859_1).contains("null") ? 1 : 0;
            shorter += input.length < SEED.length ? 1 : 0;
            longer += input.length > SEED.length ? 1 : 0;
        }
        assertThat(inputs).hasSizeGreaterThan(2_500);
        assertThat(words).isGreaterThan(100);
        assertThat(shorter).isGreaterThan(500);
        assertThat(longer).isGreaterThan(500);
    }

    @Test
    void anEmptySeedIsNoProblem() {
        var mutator = new Mutator(List.of(new byte[0], SEED), List.of());
        for (long n = 0; n < 1_000; n++) {
            mutator.next(new SplittableRandom(n));
        }
    }
}
