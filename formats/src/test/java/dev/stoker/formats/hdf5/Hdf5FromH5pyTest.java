package dev.stoker.formats.hdf5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.format.Container;
import dev.stoker.sample.Split;
import dev.stoker.testkit.Same;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What h5py writes, Stoker reads, or refuses by the name of what it does not read. */
class Hdf5FromH5pyTest {
    @TempDir
    static Path folder;

    /** What a file should hold. */
    private record Expected(Map<String, List<String>> values, Map<String, String> types, List<Split> splits) {
        Expected() {
            this(new TreeMap<>(), new TreeMap<>(), new ArrayList<>());
        }
    }

    @TestFactory
    List<DynamicTest> filesOfH5pyAreRead() {
        var files = new TreeMap<String, Expected>();
        var refused = new TreeMap<String, String>();
        for (String line : H5py.run("hdf5_write.py", folder)) {
            String[] parts = line.split("\t", -1);
            switch (parts[0]) {
                case "refused" -> refused.put(parts[1], parts[2]);
                case "split" -> {
                    List<Split> splits = files.computeIfAbsent(parts[1], _ -> new Expected()).splits;
                    long first = splits.isEmpty() ? 0 : splits.getLast().end();
                    splits.add(new Split(parts[2], first, Long.parseLong(parts[3])));
                }
                case "value" -> {
                    Expected expected = files.computeIfAbsent(parts[1], _ -> new Expected());
                    expected.types.put(parts[2], parts[3]);
                    expected.values
                            .computeIfAbsent(parts[2], _ -> new ArrayList<>())
                            .add(parts[5]);
                }
                default -> assertThat(line).isEmpty();
            }
        }
        assertThat(files).hasSizeGreaterThan(10);
        var tests = new ArrayList<DynamicTest>();
        files.forEach((name, expected) -> tests.add(DynamicTest.dynamicTest(name, () -> assertIsRead(name, expected))));
        refused.forEach((name, text) -> tests.add(DynamicTest.dynamicTest(name, () -> assertIsRefused(name, text))));
        return tests;
    }

    private static void assertIsRead(String name, Expected expected) {
        try (Container container = Container.open(folder.resolve(name))) {
            assertThat(container.format()).isEqualTo("hdf5");
            assertThat(container.splits()).isEqualTo(expected.splits);
            var types = new TreeMap<String, String>();
            container
                    .schema()
                    .fields()
                    .forEach(field -> types.put(field.name(), field.type().label()));
            assertThat(types).isEqualTo(expected.types);
            expected.values.forEach((field, values) -> {
                int place = container.schema().place(field);
                var found = new ArrayList<String>();
                for (long i = 0; i < container.count(); i++) {
                    found.add(HexFormat.of().formatHex(Same.bytes(container, i, place)));
                }
                assertThat(found).as(field).isEqualTo(values);
            });
        }
    }

    private static void assertIsRefused(String name, String text) {
        assertThatThrownBy(() -> Container.open(folder.resolve(name)))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(text);
    }

    /** A file of the courses' kind, as large as a user's; bench/python/hdf5.py measures how long its Index takes. */
    @Test
    void aHundredThousandSamplesAreRead() {
        Path file = folder.resolve("many.h5");
        H5py.runText("""
                import h5py, numpy as np, sys
                with h5py.File(sys.argv[1], "w") as f:
                    images = f.create_dataset("train/images", (100_000,), dtype=h5py.vlen_dtype(np.dtype("uint8")))
                    images[...] = [np.full(i % 300, i % 251, np.uint8) for i in range(100_000)]
                    f["train/targets"] = np.arange(100_000, dtype="int16")
                """, file);
        try (Container container = Container.open(file)) {
            assertThat(container.count()).isEqualTo(100_000);
            int data = container.schema().place("data");
            for (int i = 0; i < 100_000; i += 997) {
                var expected = new byte[i % 300];
                Arrays.fill(expected, (byte) (i % 251));
                assertThat(Same.bytes(container, i, data)).isEqualTo(expected);
            }
        }
    }
}
