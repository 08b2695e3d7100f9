package dev.stoker.formats.hdf5;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.container.Container;
import dev.stoker.formats.WrittenByOthers;
import dev.stoker.testkit.Same;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What h5py writes, Stoker reads, or refuses by the name of what it does not read. */
class Hdf5FromH5pyTest {
    @TempDir
    static Path folder;

    @TestFactory
    List<DynamicTest> filesOfH5pyAreRead() {
        return WrittenByOthers.tests("hdf5", folder, H5py.run("hdf5_write.py", folder));
    }

    /** Numbers that are compressed to next to nothing stay where they are: an Index of them would be as large as all of them. */
    @Test
    void manyCompressedNumbersTakeNoMemory() {
        Path file = folder.resolve("numbers.h5");
        H5py.runText("""
                import h5py, numpy as np, sys
                with h5py.File(sys.argv[1], "w") as f:
                    for name, count in (("train", 20_000_000), ("val", 3_000_000)):
                        f.create_dataset(name + "/label", data=np.arange(count) // 1_000_000, compression="gzip", compression_opts=1)
                """, file);
        try (Container container = Container.open(file)) {
            assertThat(container.count()).isEqualTo(23_000_000);
            assertThat(container.index().bytes().byteSize()).isLessThan(1 << 20);
            for (int i = 0; i < 23_000_000; i += 999_999) {
                byte[] value = Same.bytes(container, i, 0);
                assertThat(value[0]).isEqualTo((byte) ((i < 20_000_000 ? i : i - 20_000_000) / 1_000_000));
            }
        }
    }

    /** A file of the courses' kind, as large as a user's; bench/python/hdf5.py measures how long its Index takes. */
    @Test
    void aHundredThousandSamplesAreRead() {
        Path file = folder.resolve("many.h5");
        H5py.runText("""
                import h5py, numpy as np, sys
                with h5py.File(sys.argv[1], "w") as f:
                    images = f.create_dataset("train/images", (100_000,), dtype=h5py.vlen_dtype(np.dtype("uint8")))
                    images[...] = [np.full(i % 300, i % 251, np.uint8) for i in range(100_000)]
                    f["train/targets"] = np.arange(100_000, dtype="int16")
                """, file);
        try (Container container = Container.open(file)) {
            assertThat(container.count()).isEqualTo(100_000);
            int data = container.schema().place("data");
            for (int i = 0; i < 100_000; i += 997) {
                var expected = new byte[i % 300];
                Arrays.fill(expected, (byte) (i % 251));
                assertThat(Same.bytes(container, i, data)).isEqualTo(expected);
            }
        }
    }
}
