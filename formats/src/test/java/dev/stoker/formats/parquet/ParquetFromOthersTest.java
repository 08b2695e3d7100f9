package dev.stoker.formats.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.FormatOptions;
import dev.stoker.sample.Omission;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import java.nio.file.Path;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What pyarrow and DuckDB write, Stoker reads: in every compression, encoding and version of pages that they have. */
class ParquetFromOthersTest {
    private static final int FILES = 26;

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    @Test
    void everyFileIsRead() {
        String[] lines =
                ParquetPython.run("parquet_write.py", folder, seed.random().nextInt(1 << 30));
        Map<String, Map<String, String>> expected = Expected.of(lines);
        assertThat(expected).hasSize(FILES);
        expected.forEach((file, values) ->
                assertThat(Expected.found(folder.resolve(file))).as(file).isEqualTo(values));
    }

    /** What is left out is told of, by the sidecar as well as when the file is scanned. */
    @Test
    void columnsOfOtherTypesAreToldOf() {
        ParquetPython.run("parquet_write.py", folder, 1);
        Path file = folder.resolve("default.parquet");
        Workshop.delete(Sidecar.beside(file));
        for (int opened = 0; opened < 2; opened++) {
            assertThat(Sidecar.isBeside(file)).isEqualTo(opened > 0);
            try (Container container = Container.open(file)) {
                assertThat(container.omissions().stream().map(Omission::toString))
                        .containsExactlyInAnyOrder(
                                "z_decimal (column of type DECIMAL): fields have no such type",
                                "z_map (column of type MAP): fields have no such type",
                                "z_lists (column of type LIST of LIST of INT32): fields have no such type",
                                "z_structs (column of type LIST of group): fields have no such type",
                                "null_int8 (15 nulls): each is read as -1",
                                "null_int32 (15 nulls): each is read as -1",
                                "null_int64 (15 nulls): each is read as -1",
                                "null_uint8 (15 nulls): each is read as 255",
                                "null_uint16 (15 nulls): each is read as 65535",
                                "null_uint64 (15 nulls): each is read as 18446744073709551615",
                                "null_bool (20 nulls): each is read as false",
                                "null_ints (60 nulls): each is read as an empty list, or in a list as -1",
                                "null_float16 (15 nulls): each is read as NaN",
                                "null_float32 (15 nulls): each is read as NaN",
                                "null_float64 (15 nulls): each is read as NaN",
                                "null_list (60 nulls): each is read as an empty list, or in a list as NaN",
                                "null_binary (9 nulls): each is read as an empty value",
                                "null_utf8 (12 nulls): each is read as an empty text",
                                "all_null (60 nulls): each is read as an empty text",
                                "null_captions (46 nulls): each is read as an empty text, or an empty list",
                                "image.bytes (7 nulls): each is read as an empty value",
                                "image.path (7 nulls): each is read as an empty text");
            }
        }
    }

    /** A file of theirs, packed by Stoker, holds the same. */
    @Test
    void whatOthersWroteIsPackedAgain() {
        Map<String, Map<String, String>> expected = Expected.of(
                ParquetPython.run("parquet_write.py", folder, seed.random().nextInt(1 << 30)));
        var shop = new Workshop(new ParquetFormat(), FormatOptions.NONE, folder, seed.random());
        for (String file : new String[] {"default.parquet", "snappy-v2.parquet", "none-plain.parquet"}) {
            try (Container container = Container.open(folder.resolve(file))) {
                Path again = shop.pack(container, "again");
                Workshop.delete(Sidecar.beside(again));
                assertThat(Expected.found(again)).as(file).isEqualTo(expected.get(file));
            }
        }
    }

    @Test
    void flippedBitsNeverEscape() {
        ParquetPython.run("parquet_write.py", folder, 1);
        RandomGenerator random = seed.random();
        for (String file : new String[] {
            "default.parquet",
            "none-tiny.parquet",
            "zstd.parquet",
            "lz4.parquet",
            "deltas.parquet",
            "gzip.parquet",
            "duckdb-snappy-V2.parquet"
        }) {
            byte[] whole = Workshop.read(folder.resolve(file));
            assertThat(Damaged.refusal(folder, whole)).isEmpty();
            for (int i = 0; i < 150; i++) {
                byte[] damaged = whole.clone();
                for (int flips = 0; flips < 3; flips++) {
                    damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
                }
                Damaged.refusal(folder, damaged);
            }
        }
    }
}
