package dev.stoker.formats.parquet;

import dev.stoker.container.Container;
import dev.stoker.sample.FieldType;
import dev.stoker.testkit.Same;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The values of files as text, to be compared: file, then column and row, then type, shape and bytes. */
final class Expected {
    private Expected() {}

    /** What the scripts print. */
    static Map<String, Map<String, String>> of(String[] lines) {
        var expected = new TreeMap<String, Map<String, String>>();
        for (String line : lines) {
            if (!line.isEmpty()) {
                String[] part = line.split("\t", -1);
                expected.computeIfAbsent(part[0], _ -> new TreeMap<>())
                        .put(part[1] + " " + part[3], part[2] + " " + part[4] + " " + part[5]);
            }
        }
        return expected;
    }

    /** What Stoker finds. */
    static Map<String, String> found(Path file) {
        var found = new TreeMap<String, String>();
        try (Container container = Container.open(file)) {
            for (int f = 0; f < container.schema().size(); f++) {
                var field = container.schema().fields().get(f);
                for (long i = 0; i < container.count(); i++) {
                    String shape = !(field.type() instanceof FieldType.Array)
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
