package dev.stoker.formats.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A damaged file either still has values inside itself, or is refused by our own exceptions. That they are the right
 * values only checksums can tell, which a file without its sidecar does not have.
 */
class ArrowDamageTest {
    private static final Format FORMAT = new ArrowFormat();

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    private byte[] small() {
        var fields = new ArrayList<Field>();
        for (String type :
                List.of("text", "bytes", "text[]", "int64", "bool", "float32[2,3]", "bool[*]", "int16[*,*]")) {
            fields.add(new Field("field of " + type, FieldType.of(type)));
        }
        var options = new FormatOptions(Map.of(), Map.of("rows-per-batch", "2"));
        var workshop = new Workshop(FORMAT, options, folder, seed.random());
        var samples = workshop.randomSamples().next(new Schema(fields, List.of("a", "b")), 5);
        return Workshop.read(workshop.pack(samples, "small"));
    }

    @Test
    void everyTruncationIsRefused() {
        byte[] whole = small();
        assertThat(Damaged.refusal(folder, whole)).isEmpty();
        for (int length = 0; length < whole.length; length++) {
            assertThat(Damaged.refusal(folder, Arrays.copyOf(whole, length)))
                    .as("cut to %d of %d bytes", length, whole.length)
                    .isNotEmpty();
        }
    }

    @Test
    void flippedBitsNeverEscape() {
        byte[] whole = small();
        RandomGenerator random = seed.random();
        Assertions.assertTimeoutPreemptively(Duration.ofMinutes(2), () -> {
            int refused = 0;
            for (int i = 0; i < 3000; i++) {
                byte[] damaged = whole.clone();
                for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                    damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
                }
                refused += Damaged.refusal(folder, damaged).isEmpty() ? 0 : 1;
            }
            assertThat(refused).isBetween(200, 2950);
        });
    }

    /** Whole bytes and numbers, where single bits seldom make an extreme value. */
    @Test
    void overwrittenNumbersNeverEscape() {
        byte[] whole = small();
        RandomGenerator random = seed.random();
        byte[][] extremes = {
            {-1, -1, -1, 127}, {-1, -1, -1, -1}, {0, 0, 0, -128}, {0, 0, 0, 0}, {-1, -1, -1, -1, -1, -1, -1, 127}
        };
        Assertions.assertTimeoutPreemptively(Duration.ofMinutes(2), () -> {
            for (int at = 0; at + 8 <= whole.length; at += 4) {
                byte[] damaged = whole.clone();
                byte[] extreme = extremes[random.nextInt(extremes.length)];
                System.arraycopy(extreme, 0, damaged, at, extreme.length);
                Damaged.refusal(folder, damaged);
            }
        });
    }
}
