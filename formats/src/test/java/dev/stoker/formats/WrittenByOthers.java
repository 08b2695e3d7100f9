package dev.stoker.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.sample.Omission;
import dev.stoker.sample.Split;
import dev.stoker.testkit.Same;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DynamicTest;

/** What other software writes, Stoker reads, or refuses by the name of what it does not read. */
public final class WrittenByOthers {
    private WrittenByOthers() {}

    /** What a file should hold. */
    private record Expected(
            Map<String, List<String>> values, Map<String, String> types, List<Split> splits, List<String> omissions) {
        Expected() {
            this(new TreeMap<>(), new TreeMap<>(), new ArrayList<>(), new ArrayList<>());
        }
    }

    /**
     * A test for each file that a script says it wrote.
     *
     * @param lines what it printed: {@code value FILE FIELD TYPE ROW HEX}, {@code split FILE NAME COUNT}, {@code refused
     *     FILE TEXT}, {@code omitted FILE TEXT} for each thing that is left out, with tabs
     */
    public static List<DynamicTest> tests(String format, Path folder, String[] lines) {
        var files = new TreeMap<String, Expected>();
        var refused = new TreeMap<String, String>();
        for (String line : lines) {
            String[] parts = line.split("\t", -1);
            switch (parts[0]) {
                case "refused" -> refused.put(parts[1], parts[2]);
                case "omitted" ->
                    files.computeIfAbsent(parts[1], _ -> new Expected())
                            .omissions
                            .add(parts[2]);
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
        files.forEach((name, expected) ->
                tests.add(DynamicTest.dynamicTest(name, () -> assertIsRead(format, folder.resolve(name), expected))));
        refused.forEach((name, text) ->
                tests.add(DynamicTest.dynamicTest(name, () -> assertIsRefused(folder.resolve(name), name, text))));
        return tests;
    }

    private static void assertIsRead(String format, Path file, Expected expected) {
        try (Container container = Container.open(file)) {
            assertThat(container.format()).isEqualTo(format);
            assertThat(container.splits()).isEqualTo(expected.splits);
            assertThat(container.omissions().stream().map(Omission::toString))
                    .containsExactlyInAnyOrderElementsOf(expected.omissions);
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

    private static void assertIsRefused(Path file, String name, String text) {
        assertThatThrownBy(() -> Container.open(file))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining(name)
                .hasMessageContaining(text);
    }
}
