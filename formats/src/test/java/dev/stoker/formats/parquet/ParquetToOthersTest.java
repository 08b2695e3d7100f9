package dev.stoker.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.format.Options;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Stoker writes, pyarrow and DuckDB read: every value of every type. */
class ParquetToOthersTest {
    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"1, 0", "1, 1", "2, 23", "7, 23", "1000, 40"})
    void everyTypeIsRead(int rowsPerGroup, int count) {
        var options = new Options(
                Map.of(Field.DATA, "image_data"), Map.of(ParquetFormat.ROWS_PER_GROUP, Integer.toString(rowsPerGroup)));
        var workshop = new Workshop(new ParquetFormat(), options, folder, seed.random());
        MemorySamples samples = workshop.randomSamples().next(everyType(), count);
        Path file = workshop.pack(samples, "every");

        var values = new TreeMap<String, Map<String, String>>();
        var types = new TreeMap<String, String>();
        var bounded = new TreeSet<String>();
        for (String line : ParquetPython.run("parquet_read.py", file)) {
            String[] parts = line.split("\t", -1);
            switch (parts[0]) {
                case "type" -> types.put(name(parts[1]), parts[2]);
                case "bounded" -> bounded.add(name(parts[1]));
                case "pyarrow", "duckdb" ->
                    values.computeIfAbsent(parts[0], _ -> new TreeMap<>())
                            .put(name(parts[1]) + " " + parts[2], parts[3] + " " + parts[4]);
                default -> assertThat(line).isEmpty();
            }
        }
        Map<String, String> expected = expected(samples, options);
        assertThat(values.getOrDefault("pyarrow", Map.of())).isEqualTo(expected);
        // DuckDB widens float16, so that its bytes are others.
        expected.keySet().removeIf(key -> key.startsWith("float16"));
        Map<String, String> byDuckDb = values.getOrDefault("duckdb", new TreeMap<>());
        byDuckDb.keySet().removeIf(key -> key.startsWith("float16"));
        assertThat(byDuckDb).isEqualTo(expected);
        assertThat(types)
                .containsEntry("image_data", "binary")
                .containsEntry(Field.KEY, "string")
                .containsEntry("text[]", "list<element: string not null>")
                .containsEntry("float16", "halffloat")
                .containsEntry("uint8", "uint8")
                .containsEntry("bool", "bool")
                .containsEntry("float32[2,3]", "list<element: float not null>")
                .containsEntry("uint8[2,3]", "fixed_size_binary[6]")
                .containsEntry("float32[*]", "list<element: float not null>");
        if (count > 0) {
            assertThat(bounded).contains("int8", "int64", "uint16", "bool");
        }
    }

    private static Schema everyType() {
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

    private static Map<String, String> expected(MemorySamples samples, Options options) {
        var expected = new TreeMap<String, String>();
        for (int f = 0; f < samples.schema().size(); f++) {
            String column = options.nameOf(samples.schema().fields().get(f).name());
            boolean hasShape = samples.schema().type(f) instanceof FieldType.Array array && array.rank() > 1;
            for (long i = 0; i < samples.count(); i++) {
                String shape = !hasShape
                        ? ""
                        : Arrays.stream(samples.shape(i, f))
                                .mapToObj(Long::toString)
                                .collect(Collectors.joining(","));
                expected.put(column + " " + i, shape + " " + HexFormat.of().formatHex(samples.bytes(i, f)));
            }
        }
        return expected;
    }

    private static String name(String hex) {
        return new String(HexFormat.of().parseHex(hex), StandardCharsets.UTF_8);
    }

    /** Pages of one row each, and pages of many; more than one run for each column. */
    @Test
    void longValuesAndManyRowsAreRead() {
        var samples = MemorySamples.of(
                new Field(Field.DATA, new FieldType.Bytes()), new Field(Field.LABEL, FieldType.of("int64")));
        for (int i = 0; i < 30_000; i++) {
            samples.add(new byte[i % 6_000 == 0 ? (1 << 20) + i : i % 50], (long) i);
        }
        var workshop = new Workshop(new ParquetFormat(), Options.NONE, folder, seed.random());
        Path file = workshop.pack(samples.build(), "long");
        String[] found = ParquetPython.run("parquet_sums.py", file);
        long bytes = 0;
        for (int i = 0; i < 30_000; i++) {
            bytes += i % 6_000 == 0 ? (1 << 20) + i : i % 50;
        }
        assertThat(found[0]).isEqualTo("1 30000 " + bytes + " " + 30_000L * 29_999 / 2);
        assertThat(found[1]).isEqualTo("29000");
    }
}
