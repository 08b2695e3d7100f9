package dev.stoker.formats.parquet.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.formats.parquet.ParquetFormat;
import dev.stoker.formats.parquet.read.PageHeader;
import dev.stoker.formats.parquet.thrift.ThriftReader;
import dev.stoker.formats.parquet.thrift.ThriftType;
import dev.stoker.index.Placement;
import dev.stoker.io.LittleEndian;
import dev.stoker.io.MappedFile;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Same;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.SizedSamples;
import dev.stoker.testkit.Workshop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class ParquetPlanTest {
    private static final ParquetFormat FORMAT = new ParquetFormat();

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    /** The Index that packing made and the one that the file alone gives say the same of every value. */
    @RepeatedTest(20)
    void theDerivedIndexIsThePlannedOne() throws IOException {
        var random = seed.random();
        var options = new FormatOptions(
                Map.of(Field.DATA, "image_data", Field.KEY, "path"),
                random.nextBoolean()
                        ? Map.of()
                        : Map.of(ParquetFormat.ROWS_PER_GROUP, Integer.toString(1 + random.nextInt(9))));
        var workshop = new Workshop(FORMAT, options, folder, random);
        MemorySamples samples = workshop.randomSamples().next(1 + random.nextInt(40));
        Path file = workshop.pack(samples, "a");
        try (Container planned = Container.open(file)) {
            Files.move(Sidecar.beside(file), folder.resolve("planned.stkx"));
            try (Container derived = Container.open(file)) {
                Same.assertSame(derived, samples);
                assertSamePlaces(derived, planned);
            }
        }
    }

    private static void assertSamePlaces(Container derived, Container planned) {
        for (int f = 0; f < derived.schema().size(); f++) {
            Placement expected = planned.index().placement(f);
            assertThat(derived.index().placement(f).place()).isEqualTo(expected.place());
            for (long i = 0; i < derived.count() && expected.place() == Placement.Place.FILE; i++) {
                // An empty value lies anywhere.
                if (derived.length(i, f) > 0) {
                    assertThat(derived.column(f).offset(i))
                            .isEqualTo(planned.column(f).offset(i));
                }
            }
        }
    }

    /** Whoever wants one row finds its page by the offset index, and the page holds it. */
    @Test
    void theOffsetIndexTellsOfEveryPage() {
        var samples = MemorySamples.of(new Field(Field.DATA, new FieldType.Bytes()));
        for (int i = 0; i < 40; i++) {
            samples.add(new byte[i % 10 == 3 ? 2_000_000 : 90_000]);
        }
        var workshop = new Workshop(
                FORMAT, new FormatOptions(Map.of(), Map.of(ParquetFormat.ROWS_PER_GROUP, "25")), folder, seed.random());
        Path path = workshop.pack(samples.build(), "pages");
        try (MappedFile file = MappedFile.open(path)) {
            long end = file.size() - 8;
            long footer = end - file.bytes().get(LittleEndian.U32, end);
            List<long[]> indexes = indexes(new ThriftReader("pages", file.bytes(), footer, end));
            assertThat(indexes).hasSize(2);
            var firstRows = new ArrayList<Long>();
            for (long[] index : indexes) {
                var from = new ThriftReader("pages", file.bytes(), index[0], index[0] + index[1]);
                for (long[] page : pages(from)) {
                    firstRows.add(page[2]);
                    var head = new ThriftReader("pages", file.bytes(), page[0], footer);
                    PageHeader header = PageHeader.read(head);
                    assertThat(header.stored()).isEqualTo(page[1] - (head.position() - page[0]));
                    assertThat(header.decoded() <= 1 << 20 || header.values() == 1)
                            .isTrue();
                }
            }
            assertThat(firstRows).containsExactly(0L, 3L, 4L, 13L, 14L, 23L, 24L, 0L, 8L, 9L);
        }
    }

    /** Offset and length of the offset index of each chunk, from the footer. */
    private static List<long[]> indexes(ThriftReader from) {
        var found = new ArrayList<long[]>();
        walk(from, field -> {
            if (field != 4) {
                from.skip();
                return;
            }
            for (int left = from.list(ThriftType.STRUCT); left > 0; left--) {
                walk(from, inGroup -> {
                    if (inGroup != 1) {
                        from.skip();
                        return;
                    }
                    for (int columns = from.list(ThriftType.STRUCT); columns > 0; columns--) {
                        var index = new long[2];
                        walk(from, inChunk -> {
                            switch (inChunk) {
                                case 4 -> index[0] = from.i64();
                                case 5 -> index[1] = from.i32();
                                default -> from.skip();
                            }
                        });
                        found.add(index);
                    }
                });
            }
        });
        return found;
    }

    private static List<long[]> pages(ThriftReader from) {
        var pages = new ArrayList<long[]>();
        walk(from, field -> {
            for (int left = from.list(ThriftType.STRUCT); left > 0; left--) {
                var page = new long[3];
                walk(from, inPage -> page[inPage - 1] = inPage == 2 ? from.i32() : from.i64());
                pages.add(page);
            }
        });
        return pages;
    }

    private static void walk(ThriftReader from, IntConsumer each) {
        from.enter();
        for (int field = from.next(); field != 0; field = from.next()) {
            each.accept(field);
        }
        from.leave();
    }

    private static Plan plan(long count, LongUnaryOperator size) {
        var schema = new Schema(
                List.of(new Field("bytes", new FieldType.Bytes()), new Field("array", FieldType.of("uint8[*]"))));
        return FORMAT.plan(new SizedSamples(schema, count, size), FormatOptions.NONE);
    }

    @Test
    void aValueThatFillsMoreThanAPageIsRefused() {
        assertThat(plan(2, _ -> Integer.MAX_VALUE - 4).length()).isGreaterThan(4L * (Integer.MAX_VALUE - 4));
        assertThatThrownBy(() -> plan(2, _ -> Integer.MAX_VALUE - 3))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("field 'bytes' needs a page of 2147483648 bytes");
    }

    @Test
    void rowGroupsHaveAtMost128MiB() {
        var schema = new Schema(List.of(new Field("x", new FieldType.Bytes())));
        assertThat(new RowGroups(new SizedSamples(schema, 64, _ -> 4 << 20), RowGroups.DEFAULT_ROWS).count())
                .isEqualTo(2);
        assertThat(new RowGroups(new SizedSamples(schema, 3, _ -> 1L << 40), RowGroups.DEFAULT_ROWS).count())
                .isEqualTo(3);
        assertThat(new RowGroups(new SizedSamples(schema, (2 << 20) + 1, _ -> 1), RowGroups.DEFAULT_ROWS).count())
                .isEqualTo(3);
    }

    @Test
    void aMillionPagesArePlannedInLittleMemory() {
        System.gc();
        long before = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        Plan plan = plan(500_000, _ -> 1 << 20);
        System.gc();
        long used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory() - before;
        assertThat(plan.length()).isGreaterThan(999_000L << 20);
        assertThat(used).as("bytes for a million pages").isLessThan(200L * 1_000_000);
    }
}
