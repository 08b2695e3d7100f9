package dev.stoker.formats.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.index.Index;
import dev.stoker.index.Placement;
import dev.stoker.sample.DType;
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
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class ArrowPlanTest {
    private static final Format FORMAT = new ArrowFormat();

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
                random.nextBoolean() ? Map.of() : Map.of("rows-per-batch", Integer.toString(1 + random.nextInt(9))));
        var workshop = new Workshop(FORMAT, options, folder, random);
        MemorySamples samples = workshop.randomSamples().next(random.nextInt(40));
        Path file = workshop.pack(samples, "a");
        try (Container planned = Container.open(file)) {
            Files.move(Sidecar.beside(file), folder.resolve("planned.stkx"));
            try (Container derived = Container.open(file)) {
                assertThat(planned.index().isPacked()).isTrue();
                assertThat(derived.index().isPacked()).isFalse();
                Same.assertSame(derived, samples);
                Same.assertSame(derived, planned);
                assertSamePlaces(derived.index(), derived, planned.index(), planned);
            }
        }
    }

    private static void assertSamePlaces(Index derived, Container from, Index planned, Container to) {
        for (int f = 0; f < derived.schema().size(); f++) {
            Placement expected = planned.placement(f);
            assertThat(derived.placement(f))
                    .isEqualTo(new Placement(expected.place(), expected.dense(), expected.base(), false));
            if (expected.place() == Placement.Place.FILE) {
                for (long i = 0; i < from.count(); i++) {
                    assertThat(from.column(f).offset(i)).isEqualTo(to.column(f).offset(i));
                    assertThat(from.column(f).length(i)).isEqualTo(to.column(f).length(i));
                }
            }
        }
    }

    private static Plan plan(long count, LongUnaryOperator size, Map<String, String> settings) {
        var schema = new Schema(List.of(
                new Field("bytes", new FieldType.Bytes()),
                new Field("label", new FieldType.Scalar(DType.INT64)),
                new Field("array", new FieldType.Array(DType.UINT8, 1))));
        return FORMAT.plan(new SizedSamples(schema, count, size), new FormatOptions(Map.of(), settings));
    }

    @Test
    void offsetsOf64BitsAreUsedOnlyWhereNeeded() {
        for (long size : new long[] {Integer.MAX_VALUE, 1L << 31}) {
            var sizes = new SizedSamples(new Schema(List.of(new Field("x", new FieldType.Bytes()))), 3, _ -> size);
            assertThat(new Batches(sizes, 1, Long.MAX_VALUE).isLarge(0)).isEqualTo(size > Integer.MAX_VALUE);
        }
        var sizes = new SizedSamples(new Schema(List.of(new Field("x", new FieldType.Text()))), 1 << 20, _ -> 4096);
        assertThat(new Batches(sizes, 1 << 20, Long.MAX_VALUE).isLarge(0)).isTrue();
        assertThat(new Batches(sizes, 1 << 18, Long.MAX_VALUE).isLarge(0)).isFalse();
    }

    @Test
    void batchesAreOfAtMost1024RowsAnd16MiB() {
        var many = new SizedSamples(new Schema(List.of(new Field("x", new FieldType.Bytes()))), 5000, _ -> 10);
        assertThat(new Batches(many, ArrowPlan.DEFAULT_ROWS, 16 << 20).count()).isEqualTo(5);
        var wide = new SizedSamples(new Schema(List.of(new Field("x", new FieldType.Bytes()))), 64, _ -> 4 << 20);
        assertThat(new Batches(wide, ArrowPlan.DEFAULT_ROWS, 16 << 20).count()).isEqualTo(16);
        var huge = new SizedSamples(new Schema(List.of(new Field("x", new FieldType.Bytes()))), 3, _ -> 1L << 40);
        assertThat(new Batches(huge, ArrowPlan.DEFAULT_ROWS, 16 << 20).count()).isEqualTo(3);
    }

    @Test
    void runsFollowEachOtherWithoutGaps() {
        Plan plan = plan(10_000, i -> i % 5000, Map.of());
        long end = 0;
        long next = 0;
        for (int r = 0; r < plan.runs(); r++) {
            assertThat(plan.run(r).offset()).isEqualTo(end);
            end += plan.run(r).length();
            if (plan.run(r).samples() > 0) {
                assertThat(plan.run(r).first()).isEqualTo(next);
                next = plan.run(r).end();
            }
        }
        assertThat(end).isEqualTo(plan.length());
        assertThat(next).isEqualTo(10_000);
    }

    @Test
    void aMillionBatchesArePlannedInLittleMemory() {
        long before = used();
        Plan plan = plan(1_000_000, i -> i % 100, Map.of("rows-per-batch", "1"));
        assertThat(used() - before).as("bytes for each batch").isLessThan(48L * 1_000_000);
        assertThat(plan.length()).isGreaterThan(1_000_000L * 3 * 64);
    }

    private static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
