package dev.stoker.formats.hdf5.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.formats.hdf5.Hdf5Format;
import dev.stoker.index.Index;
import dev.stoker.index.Placement;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Same;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.SizedSamples;
import dev.stoker.testkit.Workshop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class Hdf5PlanTest {
    private static final Format FORMAT = new Hdf5Format();
    private static final Schema BYTES = new Schema(List.of(new Field(Field.DATA, new FieldType.Bytes())));

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    /** The Index that packing made and the one that the file alone gives say the same of every value. */
    @RepeatedTest(20)
    void theDerivedIndexIsThePlannedOne() throws IOException {
        var random = seed.random();
        var options = new FormatOptions(
                Map.of(Field.DATA, "image_data"), Map.of("layout", random.nextBoolean() ? "vlen" : "csr"));
        var workshop = new Workshop(FORMAT, options, folder, random);
        MemorySamples samples = workshop.randomSamples().next(random.nextInt(40));
        Path file = workshop.pack(samples, "a");
        try (Container planned = Container.open(file)) {
            Files.move(Sidecar.beside(file), folder.resolve("planned.stkx"));
            try (Container derived = Container.open(file)) {
                Same.assertSame(derived, samples);
                assertSamePlaces(derived.index(), derived, planned.index(), planned);
            }
        }
    }

    private static void assertSamePlaces(Index derived, Container from, Index planned, Container to) {
        for (int f = 0; f < derived.schema().size(); f++) {
            Placement expected = planned.placement(f);
            assertThat(derived.placement(f).place()).isEqualTo(expected.place());
            for (long i = 0; i < from.count() && expected.place() == Placement.Place.FILE; i++) {
                assertThat(from.column(f).length(i)).isEqualTo(to.column(f).length(i));
                if (to.column(f).length(i) > 0) {
                    assertThat(from.column(f).offset(i)).isEqualTo(to.column(f).offset(i));
                }
            }
        }
    }

    private static Plan plan(long count, LongUnaryOperator size, String layout) {
        return FORMAT.plan(new SizedSamples(BYTES, count, size), new FormatOptions(Map.of(), Map.of("layout", layout)));
    }

    @Test
    void manyTerabytesArePlanned() {
        for (String layout : List.of("vlen", "csr")) {
            Plan plan = plan(1_000, i -> (1L << 32) - 1 - i, layout);
            assertThat(plan.length()).isBetween(3_999L << 30, 4_001L << 30);
            long end = 0;
            for (int r = 0; r < plan.runs(); r++) {
                assertThat(plan.run(r).offset()).isBetween(end, end + 64);
                end = plan.run(r).offset() + plan.run(r).length();
            }
            assertThat(end).isEqualTo(plan.length());
        }
    }

    @Test
    void smallSamplesShareCollections() {
        // 16 bytes for the reference, 24 in the heap; with a collection for each it would be 4112.
        assertThat(plan(1_000_000, _ -> 5, "vlen").length()).isLessThan(41L * 1_000_000);
        assertThat(plan(1_000_000, _ -> 0, "vlen").length()).isLessThan(17L * 1_000_000);
    }

    @Test
    void aSequenceOfTwoToTheThirtyTwoIsRefused() {
        assertThatThrownBy(() -> plan(1, _ -> 1L << 32, "vlen"))
                .isInstanceOf(StokerException.class)
                .hasMessage("sample 0: field 'data' has 4294967296 elements, but a variable-length value of HDF5 has at"
                        + " most 4294967295; give --layout csr");
        assertThat(plan(1, _ -> 1L << 32, "csr").length()).isGreaterThan(1L << 32);
    }

    @Test
    void valuesOfDifferentLengthsAreNoRows() {
        assertThatThrownBy(() -> plan(3, i -> i / 2, "fixed"))
                .isInstanceOf(StokerException.class)
                .hasMessage(
                        "--layout fixed needs values of one shape, but in field 'data' sample 0 has [0] and sample 2"
                                + " has [1]; choose vlen or csr");
    }

    @Test
    void anUnknownLayoutIsRefused() {
        assertThatThrownBy(() -> plan(3, i -> i, "dense"))
                .isInstanceOf(StokerException.class)
                .hasMessage("--layout should be vlen, csr or fixed but is 'dense'");
    }

    @Test
    void namesThatArePathsAreRefused() {
        var samples = MemorySamples.of(new Field("a/b", new FieldType.Bytes())).add(new byte[1]);
        assertThatThrownBy(() -> FORMAT.plan(samples.build(), FormatOptions.NONE))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("field 'a/b'")
                .hasMessageContaining("--name");
        assertThat(FORMAT.plan(samples.build(), new FormatOptions(Map.of("a/b", "b"), Map.of()))
                        .runs())
                .isPositive();
        samples.splits(List.of(new Split("x/y", 0, 1)));
        assertThatThrownBy(() -> FORMAT.plan(samples.build(), new FormatOptions(Map.of("a/b", "b"), Map.of())))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("split 'x/y'");
    }

    /** Names that others need already: the usual ones are given only where they are free. */
    @Test
    void namesThatMeetComeBack() {
        var workshop =
                new Workshop(FORMAT, new FormatOptions(Map.of(), Map.of("layout", "csr")), folder, seed.random());
        var schema = new Schema(List.of(
                new Field(Field.DATA, new FieldType.Bytes()),
                new Field("images", new FieldType.Bytes()),
                new Field("images_offsets", new FieldType.Array(DType.INT16, 2)),
                new Field("images_offsets_shape", new FieldType.Scalar(DType.INT16))));
        MemorySamples samples = workshop.randomSamples().next(schema, 20);
        Path file = workshop.pack(samples, "meet");
        Workshop.delete(Sidecar.beside(file));
        try (Container container = Container.open(file)) {
            Same.assertSame(container, samples);
        }
    }

    @Test
    void aListOfManyTextsComesBackOrIsRefused() {
        var workshop = new Workshop(FORMAT, FormatOptions.NONE, folder, seed.random());
        var most = MemorySamples.of(new Field("texts", new FieldType.Texts()))
                .add(List.of("a", ""))
                .add(Collections.nCopies(65_534, "x"))
                .add(Collections.nCopies(200_000, ""))
                .build();
        Path file = workshop.pack(most, "most");
        Workshop.delete(Sidecar.beside(file));
        try (Container container = Container.open(file)) {
            Same.assertSame(container, most);
        }
        var more = MemorySamples.of(new Field("texts", new FieldType.Texts()))
                .add(Collections.nCopies(65_535, "x"))
                .build();
        assertThatThrownBy(() -> FORMAT.plan(more, FormatOptions.NONE))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("65535 texts");
    }
}
