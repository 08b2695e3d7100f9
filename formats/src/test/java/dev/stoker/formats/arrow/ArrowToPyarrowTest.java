package dev.stoker.formats.arrow;

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
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Stoker writes, pyarrow reads: every value of every type. */
class ArrowToPyarrowTest {
    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"1, 0", "1, 1", "2, 23", "7, 23", "1000, 23"})
    void everyTypeIsReadByPyarrow(int rowsPerBatch, int count) {
        var options = new Options(
                Map.of(Field.DATA, "image_data"), Map.of(ArrowFormat.ROWS_PER_BATCH, Integer.toString(rowsPerBatch)));
        var workshop = new Workshop(new ArrowFormat(), options, folder, seed.random());
        MemorySamples samples = workshop.randomSamples().next(everyType(), count);
        Path file = workshop.pack(samples, "every");

        var values = new HashMap<String, String>();
        var types = new HashMap<String, String>();
        String batches = "";
        for (String line : Pyarrow.run("arrow_read.py", file)) {
            String[] parts = line.split("\t", -1);
            switch (parts[0]) {
                case "batches" -> batches = parts[1];
                case "type" -> types.put(name(parts[1]), parts[2]);
                case "value" -> values.put(name(parts[1]) + " " + parts[2], parts[3] + " " + parts[4]);
                default -> assertThat(line).isEmpty();
            }
        }

        assertThat(batches).isEqualTo(Integer.toString((count + rowsPerBatch - 1) / rowsPerBatch));
        assertThat(values).isEqualTo(expected(samples, options));
        assertThat(types)
                .containsEntry("image_data", "binary")
                .containsEntry(Field.KEY, "string")
                .containsEntry("text[]", "list<item: string>")
                .containsEntry("float16", "halffloat")
                .containsEntry("bool", "bool")
                .containsEntry("float32[*,*]", "extension<arrow.variable_shape_tensor[value_type=float, ndim=2]>")
                .containsEntry("float32[2,3]", "extension<arrow.fixed_shape_tensor[value_type=float, shape=[2,3]]>");
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
        var expected = new HashMap<String, String>();
        for (int f = 0; f < samples.schema().size(); f++) {
            String column = options.nameOf(samples.schema().fields().get(f).name());
            for (long i = 0; i < samples.count(); i++) {
                String shape = Arrays.stream(samples.shape(i, f))
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

    @Test
    void anEmptyDatasetHasASchemaAndNoRows() {
        var workshop = new Workshop(new ArrowFormat(), Options.NONE, folder, seed.random());
        Path file = workshop.pack(workshop.randomSamples().next(everyType(), 0), "empty");
        assertThat(Pyarrow.run("arrow_read.py", file))
                .contains("batches\t0")
                .noneMatch(line -> line.startsWith("value"));
    }
}
