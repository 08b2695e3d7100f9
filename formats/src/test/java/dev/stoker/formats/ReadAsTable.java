package dev.stoker.formats;

import dev.stoker.format.FormatOptions;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.testkit.MemorySamples;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What Stoker writes, other software reads as a table: its columns as text, to be compared. */
public final class ReadAsTable {
    /** The columns' own types, as the reader names them. */
    public final Map<String, String> types = new TreeMap<>();

    private final Map<String, Map<String, String>> valuesOfReader = new TreeMap<>();
    private final Map<String, List<String>> others = new TreeMap<>();

    /**
     * What a script printed, with tabs.
     *
     * @param lines {@code type COLUMN TYPE}, {@code READER COLUMN ROW SHAPE HEX}, with names in hex; or anything of two
     *     words
     */
    public ReadAsTable(String[] lines) {
        for (String line : lines) {
            String[] parts = line.split("\t", -1);
            if (parts[0].equals("type")) {
                types.put(name(parts[1]), parts[2]);
            } else if (parts.length == 5) {
                valuesOfReader
                        .computeIfAbsent(parts[0], _ -> new TreeMap<>())
                        .put(name(parts[1]) + " " + parts[2], parts[3] + " " + parts[4]);
            } else if (parts.length == 2) {
                others.computeIfAbsent(parts[0], _ -> new ArrayList<>()).add(parts[1]);
            } else if (!line.isEmpty()) {
                throw new AssertionError(line);
            }
        }
    }

    public Map<String, String> values(String reader) {
        return valuesOfReader.getOrDefault(reader, new TreeMap<>());
    }

    /** What stands behind a word that is no reader's. */
    public List<String> others(String word) {
        return others.getOrDefault(word, List.of());
    }

    /** What should be read of samples. */
    public static Map<String, String> expected(
            MemorySamples samples, FormatOptions options, Predicate<FieldType.Array> hasShape) {
        var expected = new TreeMap<String, String>();
        for (int f = 0; f < samples.schema().size(); f++) {
            String column = options.nameOf(samples.schema().fields().get(f).name());
            boolean isShaped = samples.schema().type(f) instanceof FieldType.Array array && hasShape.test(array);
            for (long i = 0; i < samples.count(); i++) {
                String shape = !isShaped
                        ? ""
                        : Arrays.stream(samples.shape(i, f))
                                .mapToObj(Long::toString)
                                .collect(Collectors.joining(","));
                expected.put(column + " " + i, shape + " " + HexFormat.of().formatHex(samples.bytes(i, f)));
            }
        }
        return expected;
    }

    /** A field of each type there is, named by its type. */
    public static Schema everyType() {
        var fields = new ArrayList<Field>();
        fields.add(new Field(Field.KEY, new FieldType.Text()));
        fields.add(new Field(Field.DATA, new FieldType.Bytes()));
        fields.add(new Field("text[]", new FieldType.Texts()));
        for (DType dtype : DType.values()) {
            for (String shape : List.of("", "[2]", "[2,3]", "[0]", "[*]", "[*,*]")) {
                String label = dtype.label() + shape;
                fields.add(new Field(label, FieldType.of(label)));
            }
        }
        return new Schema(fields, List.of("a class", "数"));
    }

    public static String name(String hex) {
        return new String(HexFormat.of().parseHex(hex), StandardCharsets.UTF_8);
    }
}
