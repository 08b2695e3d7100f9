package dev.stoker.formats.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.container.Container;
import dev.stoker.testkit.Same;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What pyarrow writes, Stoker reads: every value of every type that it supports, in record batches of any size. */
class ArrowFromPyarrowTest {
    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    @Test
    void everyTypeIsRead() {
        var expected = new TreeMap<String, Map<String, String>>();
        for (String line : Pyarrow.run("arrow_write.py", folder, seed.random().nextInt(1 << 30))) {
            if (!line.isEmpty()) {
                String[] part = line.split("\t", -1);
                expected.computeIfAbsent(part[0], _ -> new HashMap<>())
                        .put(part[1] + " " + part[3], part[2] + " " + part[4] + " " + part[5]);
            }
        }
        assertThat(expected).hasSize(9);
        expected.forEach((file, values) ->
                assertThat(found(folder.resolve(file))).as(file).isEqualTo(values));
    }

    /** The same for the metadata, and for types that Stoker does not write: dictionaries, views, unions. */
    @Test
    void flippedBitsNeverEscape() {
        Pyarrow.run("arrow_write.py", folder, 1);
        RandomGenerator random = seed.random();
        for (String file : List.of(
                "V5-50.arrow", "V4-7.arrow", "delta.arrow", "legacy.arrow", "V5-7-zstd.arrow", "V5-50-lz4.arrow")) {
            byte[] whole = Workshop.read(folder.resolve(file));
            assertThat(Damaged.refusal(folder, whole)).isEmpty();
            for (int i = 0; i < 100; i++) {
                byte[] damaged = whole.clone();
                for (int flips = 0; flips < 3; flips++) {
                    damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
                }
                Damaged.refusal(folder, damaged);
            }
        }
    }

    private static Map<String, String> found(Path file) {
        var found = new HashMap<String, String>();
        try (Container container = Container.open(file)) {
            for (int f = 0; f < container.schema().size(); f++) {
                var field = container.schema().fields().get(f);
                boolean isArray = field.type().label().contains("*");
                for (long i = 0; i < container.count(); i++) {
                    String shape = !isArray
                            ? ""
                            : Arrays.stream(container.shape(i, f))
                                    .mapToObj(Long::toString)
                                    .collect(Collectors.joining(","));
                    String hex = HexFormat.of().formatHex(Same.bytes(container, i, f));
                    found.put(field.name() + " " + i, field.type().label() + " " + shape + " " + hex);
                }
            }
        }
        return found;
    }
}
