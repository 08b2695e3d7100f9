package dev.stoker.formats.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.format.FormatOptions;
import dev.stoker.formats.ReadAsTable;
import dev.stoker.sample.Field;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
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
    @CsvSource({
        "1, 0, none",
        "1, 1, none",
        "2, 23, none",
        "7, 23, none",
        "1000, 23, none",
        "1000, 23, zstd",
        "7, 23, lz4",
        "1, 0, lz4"
    })
    void everyTypeIsReadByPyarrow(int rowsPerBatch, int count, String compression) {
        var settings = new HashMap<>(Map.of(ArrowFormat.ROWS_PER_BATCH, Integer.toString(rowsPerBatch)));
        if (!compression.equals("none")) {
            settings.put("compression", compression);
        }
        var options = new FormatOptions(Map.of(Field.DATA, "image_data"), settings);
        var workshop = new Workshop(new ArrowFormat(), options, folder, seed.random());
        MemorySamples samples = workshop.randomSamples().next(ReadAsTable.everyType(), count);
        Path file = workshop.pack(samples, "every");

        var read = new ReadAsTable(Pyarrow.run("arrow_read.py", file, compression));
        assertThat(read.others("batches")).containsExactly(Integer.toString((count + rowsPerBatch - 1) / rowsPerBatch));
        assertThat(read.values("value")).isEqualTo(ReadAsTable.expected(samples, options, _ -> true));
        assertThat(read.types)
                .containsEntry("image_data", "binary")
                .containsEntry(Field.KEY, "string")
                .containsEntry("text[]", "list<item: string>")
                .containsEntry("float16", "halffloat")
                .containsEntry("bool", "bool")
                .containsEntry("float32[*,*]", "extension<arrow.variable_shape_tensor[value_type=float, ndim=2]>")
                .containsEntry("float32[2,3]", "extension<arrow.fixed_shape_tensor[value_type=float, shape=[2,3]]>");
    }

    @Test
    void anEmptyDatasetHasASchemaAndNoRows() {
        var workshop = new Workshop(new ArrowFormat(), FormatOptions.NONE, folder, seed.random());
        Path file = workshop.pack(workshop.randomSamples().next(ReadAsTable.everyType(), 0), "empty");
        assertThat(Pyarrow.run("arrow_read.py", file, "none"))
                .contains("batches\t0")
                .noneMatch(line -> line.startsWith("value"));
    }
}
