package dev.stoker.formats.zarr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.format.FormatOptions;
import dev.stoker.formats.ReadByOthers;
import dev.stoker.formats.Scripts;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Stoker writes, zarr-python reads: every value of every type. */
class ZarrToPythonTest {
    static final Scripts SCRIPTS = new Scripts("zarr.txt");

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    private Workshop workshop() {
        return new Workshop(new ZarrZipFormat(), FormatOptions.NONE, folder, seed.random());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 40, 700})
    void everyTypeIsReadByZarr(int count) {
        Workshop shop = workshop();
        MemorySamples samples = shop.randomSamples().next(ReadByOthers.everyType(), count);
        assertIsRead(shop.pack(samples, "every"), samples);
    }

    /** More than one inner chunk, and a last one that is not full. */
    @Test
    void arraysOfManyChunksAreRead() {
        Workshop shop = workshop();
        var samples = MemorySamples.of(
                new Field(Field.KEY, new FieldType.Text()),
                new Field(Field.DATA, new FieldType.Bytes()),
                new Field("text", new FieldType.Text()),
                new Field("captions", new FieldType.Texts()),
                new Field("pixels", new FieldType.Tensor(DType.FLOAT32, List.of(33L, 7L))));
        for (int i = 0; i < 500; i++) {
            String text = "t%d ".formatted(i).repeat(shop.random().nextInt(120));
            List<String> captions = IntStream.range(0, shop.random().nextInt(6))
                    .mapToObj(c -> "caption %d ".formatted(c).repeat(c * 8))
                    .toList();
            samples.add(
                    "key/%05d".formatted(i),
                    shop.randomSamples().bytes(shop.random().nextInt(3000)),
                    text,
                    captions,
                    shop.randomSamples().bytes(33 * 7 * 4));
        }
        samples.splits(List.of(new Split("train", 0, 300), new Split("none", 300, 0), new Split("val", 300, 200)));
        assertIsRead(shop.pack(samples.build(), "chunks"), samples.build());
    }

    @Test
    void manyClassNamesAreRead() {
        Workshop shop = workshop();
        List<String> classes =
                IntStream.range(0, 21_841).mapToObj(i -> "n%08d".formatted(i)).toList();
        var samples = MemorySamples.of(
                new Schema(List.of(new Field(Field.LABEL, new FieldType.Scalar(DType.INT64))), classes));
        samples.add(3L);
        Path file = shop.pack(samples.build(), "classes");
        assertIsRead(file, samples.build());
        assertThat(SCRIPTS.run("zarr_read.py", file)[0].split("\t")).hasSize(21_842);
    }

    /** As the courses read HDF5: the split, images by their offsets, and targets. */
    @Test
    void namesAreThoseOfTheCourses() {
        Workshop shop = workshop();
        var samples = MemorySamples.of(
                new Field(Field.DATA, new FieldType.Bytes()),
                new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)));
        samples.add(new byte[] {1, 2, 3}, 7L).add(new byte[] {4}, -1L);
        Path file = shop.pack(samples.build(), "course");
        assertThat(SCRIPTS.runText("""
                import sys, zarr
                train = zarr.open_group(zarr.storage.ZipStore(sys.argv[1], mode="r"), mode="r")["train"]
                images, offsets, targets = train["images"], train["images_offsets"], train["targets"]
                print(images[offsets[0]:offsets[1]].tobytes(), targets[0], images[offsets[1]:offsets[2]].tobytes(), targets[1])
                """, file)[0]).isEqualTo("b'\\x01\\x02\\x03' 7 b'\\x04' -1");
    }

    /** The zip is one that other tools take for sound. */
    @Test
    void theZipIsSound() {
        Workshop shop = workshop();
        Path file = shop.pack(shop.randomSamples().next(ReadByOthers.everyType(), 50), "sound");
        assertThat(SCRIPTS.runText(
                                "import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(),"
                                        + " any(i.flag_bits & 8 for i in z.infolist()))",
                                file)[0])
                .isEqualTo("None False");
    }

    /** A folder is read as the zip is. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 300})
    void everyTypeInAFolderIsReadByZarr(int count) {
        var shop = new Workshop(new ZarrFormat(), FormatOptions.NONE, folder, seed.random());
        MemorySamples samples = shop.randomSamples().next(ReadByOthers.everyType(), count);
        assertIsRead(shop.pack(samples, "folder"), samples);
    }

    private static void assertIsRead(Path file, MemorySamples samples) {
        ReadByOthers.assertIsRead(file, SCRIPTS.run("zarr_read.py", file), samples);
    }
}
