package dev.stoker.formats.hdf5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.FormatOptions;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Files by h5py, damaged: refused with a sentence, or read; never anything else. */
@Timeout(value = 300, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class Hdf5DamageTest {
    private static final int TRIES = 80;

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    private List<Path> files() throws IOException {
        H5py.run("hdf5_write.py", folder);
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(".h5")).sorted().toList();
        }
    }

    @Test
    void damagedFilesAreReadOrRefused() throws IOException {
        RandomGenerator random = seed.random();
        Path damaged = folder.resolve("damaged.bin");
        for (Path file : files()) {
            byte[] bytes = Workshop.read(file);
            for (int n = 0; n < TRIES && bytes.length < 1 << 18; n++) {
                byte[] changed = bytes.clone();
                damage(changed, random);
                assertIsHandled(damaged, changed, file);
            }
        }
    }

    /** The fuzzer found one that took 20 GB: where each of its pieces would lie, had they been written. */
    @Test
    void valuesThatWereNeverWrittenAreNotCountedForEver() throws IOException {
        var samples = MemorySamples.of(new Field(Field.DATA, new FieldType.Bytes()));
        samples.add(new byte[] {1, 2, 3});
        var csr = new FormatOptions(Map.of(), Map.of(Hdf5Format.LAYOUT, "csr"));
        Path file = new Workshop(new Hdf5Format(), csr, folder, seed.random()).pack(samples.build(), "csr");
        Files.delete(Sidecar.beside(file));
        H5py.runText("""
                import h5py, sys
                with h5py.File(sys.argv[1], "a") as f:
                    found = []
                    f.visititems(lambda name, item: found.append(name) if getattr(item, "dtype", "") == "uint8" else None)
                    [name] = found
                    del f[name]
                    f.create_dataset(name, (2**50,), "uint8")
                """, file);
        assertThatThrownBy(() -> Container.open(file))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("[csr.h5]")
                .hasMessageContaining("too many pieces of which nothing is stored");
    }

    /** One to three places: a bit, a byte that is often a limit, or a number copied from elsewhere in the file. */
    private static void damage(byte[] bytes, RandomGenerator random) {
        // Metadata is small and mostly at the front; most of the damage should meet it.
        int limit = random.nextBoolean() ? bytes.length : Math.min(bytes.length, 4096);
        for (int n = random.nextInt(1, 4); n > 0; n--) {
            int at = random.nextInt(limit);
            switch (random.nextInt(3)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) (random.nextBoolean() ? 0xff : 0);
                default -> {
                    int length = Math.min(8, bytes.length - at);
                    System.arraycopy(bytes, random.nextInt(bytes.length - length + 1), bytes, at, length);
                }
            }
        }
    }

    @Test
    void shortFilesAreReadOrRefused() throws IOException {
        RandomGenerator random = seed.random();
        Path damaged = folder.resolve("damaged.bin");
        for (Path file : files()) {
            byte[] bytes = Workshop.read(file);
            for (int n = 0; n < 20; n++) {
                byte[] cut = java.util.Arrays.copyOf(bytes, random.nextInt(Math.min(bytes.length, 1 << 18)));
                assertIsHandled(damaged, cut, file);
            }
        }
    }

    private static void assertIsHandled(Path damaged, byte[] bytes, Path original) throws IOException {
        Workshop.write(damaged, bytes);
        Files.deleteIfExists(Sidecar.beside(damaged));
        try (Container container = Container.open(damaged, Hdf5Format.NAME)) {
            for (int f = 0; f < container.schema().size(); f++) {
                for (long i = 0; i < Math.min(100, container.count()); i++) {
                    container.value(i, f).mismatch(container.value(i, f));
                    if (container.schema().type(f) instanceof FieldType.Array) {
                        container.shape(i, f);
                    }
                }
            }
        } catch (StokerException e) {
            assertThat(e).hasMessageContaining("damaged.bin");
        } catch (RuntimeException e) {
            Path kept = Files.write(Path.of(System.getProperty("java.io.tmpdir"), "stoker-damaged.h5"), bytes);
            throw new AssertionError("a damaged " + original.getFileName() + ", kept as " + kept, e);
        }
    }
}
