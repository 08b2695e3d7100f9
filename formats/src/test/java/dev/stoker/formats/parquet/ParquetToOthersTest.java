package dev.stoker.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.format.FormatOptions;
import dev.stoker.formats.ReadAsTable;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
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

/** What Stoker writes, pyarrow and DuckDB read: every value of every type. */
class ParquetToOthersTest {
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
        "1000, 40, none",
        "1000, 40, zstd",
        "7, 23, snappy",
        "7, 23, lz4_raw",
        "1, 0, zstd"
    })
    void everyTypeIsRead(int rowsPerGroup, int count, String compression) {
        var settings = new HashMap<>(Map.of(ParquetFormat.ROWS_PER_GROUP, Integer.toString(rowsPerGroup)));
        if (!compression.equals("none")) {
            settings.put("compression", compression);
        }
        var options = new FormatOptions(Map.of(Field.DATA, "image_data"), settings);
        var workshop = new Workshop(new ParquetFormat(), options, folder, seed.random());
        MemorySamples samples = workshop.randomSamples().next(ReadAsTable.everyType(), count);
        Path file = workshop.pack(samples, "every");

        var read = new ReadAsTable(ParquetPython.run("parquet_read.py", file));
        Map<String, String> expected = ReadAsTable.expected(samples, options, array -> array.rank() > 1);
        assertThat(read.values("pyarrow")).isEqualTo(expected);
        // DuckDB widens float16, so that its bytes are others.
        expected.keySet().removeIf(key -> key.startsWith("float16"));
        Map<String, String> byDuckDb = read.values("duckdb");
        byDuckDb.keySet().removeIf(key -> key.startsWith("float16"));
        assertThat(byDuckDb).isEqualTo(expected);
        assertThat(read.types)
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
            assertThat(read.others("bounded")).map(ReadAsTable::name).contains("int8", "int64", "uint16", "bool");
        }
    }

    /** Pages of one row each, and pages of many; more than one run for each column. */
    @Test
    void longValuesAndManyRowsAreRead() {
        var samples = MemorySamples.of(
                new Field(Field.DATA, new FieldType.Bytes()), new Field(Field.LABEL, FieldType.of("int64")));
        for (int i = 0; i < 30_000; i++) {
            samples.add(new byte[i % 6_000 == 0 ? (1 << 20) + i : i % 50], (long) i);
        }
        var workshop = new Workshop(new ParquetFormat(), FormatOptions.NONE, folder, seed.random());
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
