package dev.stoker.formats.zarr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.CorruptContainerException;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.FormatOptions;
import dev.stoker.formats.ReadByOthers;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Same;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Objects;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Our containers, changed by other software: unpacked, compressed anew. */
class ZarrFolderTest {
    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    private Workshop workshop() {
        return new Workshop(new ZarrZipFormat(), FormatOptions.NONE, folder, seed.random());
    }

    private Path unpacked(Path zip) throws IOException {
        Path to = folder.resolve("unpacked.zarr");
        try (var archive = new ZipFile(zip.toFile())) {
            for (var entry : archive.stream().toList()) {
                Path file = to.resolve(entry.getName());
                Files.createDirectories(Objects.requireNonNull(file.getParent()));
                try (InputStream in = archive.getInputStream(entry)) {
                    Files.copy(in, file);
                }
            }
        }
        return to;
    }

    @Test
    void anUnpackedZipIsReadAsTheZipIs() throws IOException {
        Workshop shop = workshop();
        MemorySamples samples = shop.randomSamples().next(ReadByOthers.everyType(), 60);
        Path place = unpacked(shop.pack(samples, "packed"));
        try (Container container = Container.open(place)) {
            assertThat(container.format()).isEqualTo(ZarrFormat.NAME);
            Same.assertSame(container, samples);
        }
    }

    /** zarr-python copies every array with its default compression; our attribute still tells what they are. */
    @Test
    void whatWasCompressedLaterIsRead() {
        Workshop shop = workshop();
        MemorySamples samples = shop.randomSamples().next(ReadByOthers.everyType(), 60);
        Path zip = shop.pack(samples, "plain");
        Path compressed = folder.resolve("compressed.zarr.zip");
        ZarrToPythonTest.SCRIPTS.runText("""
                import sys, zarr
                source = zarr.open_group(zarr.storage.ZipStore(sys.argv[1], mode="r"), mode="r")
                store = zarr.storage.ZipStore(sys.argv[2], mode="w")
                target = zarr.create_group(store, attributes=dict(source.attrs))
                for split, group in source.groups():
                    made = target.create_group(split)
                    for name, array in group.arrays():
                        copy = made.create_array(name, shape=array.shape, dtype=array.dtype if array.dtype != object else str)
                        if array.size:
                            copy[...] = array[...]
                store.close()
                """, zip, compressed);
        try (Container container = Container.open(compressed)) {
            Same.assertSame(container, samples);
        }
        assertThat(Sidecar.beside(compressed)).exists();
    }

    /** Not one file for each chunk or sample, but at most two for each array of each split, and one for each group. */
    @Test
    void aFolderHasFewFilesAndTheSameShardsAsTheZip() throws IOException {
        Workshop shop = workshop();
        MemorySamples samples = shop.randomSamples().next(ReadByOthers.everyType(), 2_000);
        Path zip = unpacked(shop.pack(samples, "packed"));
        Workshop folders = new Workshop(new ZarrFormat(), FormatOptions.NONE, folder, seed.random());
        var written = folders.files(folders.pack(samples, "folder"));
        written.remove("sidecar");
        int groups = Math.max(1, samples.splits().size());
        assertThat(written)
                .hasSizeLessThan(2 + groups * (1 + 2 * 3 * samples.schema().size()));
        var expected = folders.files(zip);
        assertThat(written.keySet()).isEqualTo(expected.keySet());
        written.forEach((name, bytes) -> assertThat(bytes).as(name).isEqualTo(expected.get(name)));
    }

    /** A file of the folder that lost its end is named, not read beyond it. */
    @Test
    void aFileThatIsCutIsNamed() throws IOException {
        Workshop folders = new Workshop(new ZarrFormat(), FormatOptions.NONE, folder, seed.random());
        var samples = MemorySamples.of(new Field(Field.DATA, new FieldType.Bytes()));
        samples.add(new byte[5000]).add(new byte[5000]);
        Path place = folders.pack(samples.build(), "cut");
        Path shard = place.resolve("train/images/c/0");
        FileTime written = Files.getLastModifiedTime(shard);
        Workshop.write(shard, new byte[6000]);
        Files.setLastModifiedTime(shard, written); // else it is refused as edited when it is opened
        try (Container container = Container.open(place)) {
            assertThatThrownBy(() -> container.value(1, 0))
                    .isInstanceOf(CorruptContainerException.class)
                    .hasMessageContaining("train/images/c/0")
                    .hasMessageContaining("6000");
        }
    }
}
