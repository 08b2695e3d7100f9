package dev.stoker.formats.hdf5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.FormatOptions;
import dev.stoker.formats.ReadByOthers;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Same;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Shaped;
import dev.stoker.testkit.Workshop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Stoker writes, h5py and the HDF5 tools read: every value of every type in every layout. */
class Hdf5ToH5pyTest {
    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    private Workshop workshop(String layout) {
        return new Workshop(
                new Hdf5Format(), new FormatOptions(Map.of(), Map.of("layout", layout)), folder, seed.random());
    }

    @ParameterizedTest
    @CsvSource({"vlen, 0", "vlen, 1", "vlen, 40", "vlen, 700", "csr, 0", "csr, 1", "csr, 40"})
    void everyTypeIsReadByH5py(String layout, int count) {
        Workshop shop = workshop(layout);
        MemorySamples samples = shop.randomSamples().next(ReadByOthers.everyType(), count);
        assertIsRead(shop.pack(samples, "every"), samples);
    }

    @Test
    void valuesOfOneShapeAreRowsInLayoutFixed() {
        Workshop shop = workshop("fixed");
        var samples = MemorySamples.of(
                new Field(Field.KEY, new FieldType.Text()),
                new Field(Field.DATA, new FieldType.Bytes()),
                new Field("mask", new FieldType.Array(DType.UINT16, 2)));
        for (int i = 0; i < 30; i++) {
            byte[] mask = shop.randomSamples().bytes(12);
            samples.add("k" + i, shop.randomSamples().bytes(100), new Shaped(new long[] {2, 3}, mask));
        }
        Path file = shop.pack(samples.build(), "fixed");
        assertIsRead(file, samples.build());
        assertThat(
                        H5py.runText(
                                "import h5py,sys; f=h5py.File(sys.argv[1])['train'];"
                                        + "print(f['images'].shape, f['images'].dtype, f['mask'].shape)",
                                file)[0])
                .isEqualTo("(30, 100) uint8 (30, 2, 3)");
    }

    /** The shape of the courses' own reader: h5file[split]["images"][i] and ["targets"][i]. */
    @Test
    void namesAreThoseOfTheCourses() {
        Workshop shop = workshop("vlen");
        var samples = MemorySamples.of(
                new Field(Field.DATA, new FieldType.Bytes()),
                new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)));
        samples.add(new byte[] {1, 2, 3}, 7L).add(new byte[] {4}, -1L);
        samples.splits(List.of(new Split("train", 0, 1), new Split("val", 1, 1)));
        Path file = shop.pack(samples.build(), "course");
        assertThat(
                        H5py.runText(
                                "import h5py,sys; f=h5py.File(sys.argv[1])\n"
                                        + "print(list(f), *[(f[s]['images'][0].tobytes(), int(f[s]['targets'][0])) for s in f])",
                                file)[0])
                .isEqualTo("['train', 'val'] (b'\\x01\\x02\\x03', 7) (b'\\x04', -1)");
    }

    @Test
    void manyClassNamesAreADataset() {
        Workshop shop = workshop("vlen");
        List<String> classes =
                IntStream.range(0, 21_841).mapToObj(i -> "n%08d".formatted(i)).toList();
        var samples = MemorySamples.of(
                new Schema(List.of(new Field(Field.LABEL, new FieldType.Scalar(DType.INT64))), classes));
        samples.add(3L);
        Path file = shop.pack(samples.build(), "classes");
        assertIsRead(file, samples.build());
        assertThat(H5py.run("hdf5_read.py", file)[0]).contains("n00021840");
    }

    /** h5py may add to our files; what we wrote stays what it was. */
    @ParameterizedTest
    @ValueSource(strings = {"vlen", "csr"})
    void whatH5pyAddsDoesNoHarm(String layout) {
        Workshop shop = workshop(layout);
        MemorySamples samples = shop.randomSamples().next(ReadByOthers.everyType(), 30);
        Path file = shop.pack(samples, "edited");
        H5py.runText("""
                import h5py, sys
                with h5py.File(sys.argv[1], "r+") as f:
                    for i in range(40):
                        f.attrs[f"note {i}"] = "x" * i
                        f.create_group(f"more {i}")
                    for group in list(f.values()):
                        group["extra"] = list(range(77))
                """, file);
        Workshop.delete(Sidecar.beside(file));
        try (Container container = Container.open(file)) {
            Same.assertSame(container, samples);
        }
    }

    /** Where h5py put something else in a dataset's place, our attribute no longer tells the truth. */
    @ParameterizedTest
    @CsvSource({
        "mask_shape, 'zeros((1, 2), \"i8\")', has no shape for sample 1",
        "mask_shape, 'zeros((3, 3), \"i8\")', should hold shapes of 2 dimensions",
        "images, 'zeros(3, \"f4\")', tells of a field 'data' of type bytes",
        "targets, 'zeros(2, \"i8\")', should have as many samples each",
        "targets, , tells of a dataset 'targets' that is not there"
    })
    void whatH5pyReplacedIsRefused(String dataset, @Nullable String value, String sentence) {
        Workshop shop = workshop("vlen");
        var samples = MemorySamples.of(
                new Field(Field.DATA, new FieldType.Bytes()),
                new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)),
                new Field("mask", new FieldType.Array(DType.UINT16, 2)));
        for (long i = 0; i < 3; i++) {
            samples.add(new byte[9], i, new Shaped(new long[] {0, 3}, new byte[0]));
        }
        Path file = shop.pack(samples.build(), "replaced");
        H5py.runText(
                "import h5py, numpy, sys\nwith h5py.File(sys.argv[1], 'r+') as f:\n    del f['train/" + dataset + "']\n"
                        + (value == null ? "" : "    f['train/" + dataset + "'] = numpy." + value),
                file);
        Workshop.delete(Sidecar.beside(file));
        assertThatThrownBy(() -> Container.open(file))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("replaced.h5")
                .hasMessageContaining(sentence);
    }

    @ParameterizedTest
    @ValueSource(strings = {"vlen", "csr", "fixed"})
    void theToolsOfHdf5ReadIt(String layout) throws Exception {
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/h5dump")), "h5dump is not installed (Debian package hdf5-tools)");
        Workshop shop = workshop(layout);
        // One sample has values of one shape, as layout fixed wants them.
        int count = layout.equals("fixed") ? 1 : 50;
        Path file = shop.pack(shop.randomSamples().next(ReadByOthers.everyType(), count), "tools");
        for (String tool : List.of("h5dump", "h5stat", "h5ls -r", "h5debug")) {
            var command = new ArrayList<>(List.of(tool.split(" ")));
            command.add(file.toString());
            Path out = folder.resolve("out");
            int code = run(command, out);
            assertThat(code).as("%s: %s", tool, Files.readString(out)).isZero();
            assertThat(Files.readString(out)).doesNotContain("rror");
        }
    }

    private static int run(List<String> command, Path out) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start()
                .waitFor();
    }

    private static void assertIsRead(Path file, MemorySamples samples) {
        ReadByOthers.assertIsRead(file, H5py.run("hdf5_read.py", file), samples);
    }
}
