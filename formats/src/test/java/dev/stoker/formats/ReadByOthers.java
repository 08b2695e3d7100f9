package dev.stoker.formats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Same;
import dev.stoker.testkit.Workshop;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What Stoker writes, other software reads: every value of every type. */
public final class ReadByOthers {
    private ReadByOthers() {}

    /** A field of each type there is. */
    public static Schema everyType() {
        var fields = new ArrayList<Field>();
        fields.add(new Field(Field.KEY, new FieldType.Text()));
        fields.add(new Field(Field.DATA, new FieldType.Bytes()));
        fields.add(new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)));
        fields.add(new Field("название", new FieldType.Text()));
        fields.add(new Field("captions", new FieldType.Texts()));
        for (DType dtype : DType.values()) {
            for (String shape : List.of("", "[2]", "[2,3]", "[0]", "[*]", "[*,*]")) {
                String label = dtype.label() + shape;
                fields.add(new Field(label, FieldType.of(label)));
            }
        }
        return new Schema(fields, List.of("a class", "数"));
    }

    /**
     * Compares the samples with what a script read of a container, and with what Stoker reads without the sidecar.
     *
     * @param lines what it printed: {@code value GROUP FIELD ROW SHAPE HEX}, with tabs, names in hex
     */
    public static void assertIsRead(Path file, String[] lines, MemorySamples samples) {
        var values = new HashMap<String, String>();
        for (String line : lines) {
            String[] parts = line.split("\t", -1);
            if (parts[0].equals("value")) {
                values.put(name(parts[1]) + " " + name(parts[2]) + " " + parts[3], "[" + parts[4] + "] " + parts[5]);
            }
        }
        assertThat(values).isEqualTo(expected(samples));
        Workshop.delete(Sidecar.beside(file));
        try (Container container = Container.open(file)) {
            Same.assertSame(container, samples);
        }
    }

    private static Map<String, String> expected(MemorySamples samples) {
        var expected = new HashMap<String, String>();
        List<Split> splits =
                samples.splits().isEmpty() ? List.of(new Split("train", 0, samples.count())) : samples.splits();
        for (Split split : splits) {
            for (int f = 0; f < samples.schema().size(); f++) {
                String field = samples.schema().fields().get(f).name();
                for (long i = split.first(); i < split.end(); i++) {
                    String shape = Arrays.stream(samples.shape(i, f))
                            .mapToObj(Long::toString)
                            .collect(Collectors.joining(","));
                    expected.put(
                            split.name() + " " + field + " " + (i - split.first()),
                            "[" + shape + "] " + HexFormat.of().formatHex(samples.bytes(i, f)));
                }
            }
        }
        return expected;
    }

    private static String name(String hex) {
        return new String(HexFormat.of().parseHex(hex), StandardCharsets.UTF_8);
    }
}
