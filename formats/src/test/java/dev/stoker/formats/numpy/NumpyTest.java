package dev.stoker.formats.numpy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.format.Format;
import dev.stoker.format.Formats;
import dev.stoker.formats.Trees;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Omission;
import dev.stoker.sample.Split;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Python;
import dev.stoker.testkit.RandomSamples;
import dev.stoker.testkit.Same;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** .npy and .npz: NumPy reads ours, we read NumPy's, and what is not to be read is refused by name. */
class NumpyTest {
    private static final String REQUIREMENTS = "testkit/python/numpy.txt";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @RegisterExtension
    final Seed seed = new Seed();

    private MemorySamples samples(int count, boolean withBox) {
        var fields = new java.util.ArrayList<>(List.of(
                new Field(Field.KEY, new FieldType.Text()),
                new Field(Field.DATA, new FieldType.Tensor(DType.FLOAT32, List.of(2L, 3L))),
                new Field(Field.LABEL, new FieldType.Scalar(DType.INT16))));
        if (withBox) {
            fields.add(new Field("box", new FieldType.Tensor(DType.UINT8, List.of(40L))));
        }
        var random = new RandomSamples(Formats.named("npy"), seed.random());
        var samples = MemorySamples.of(fields.toArray(Field[]::new));
        for (int i = 0; i < count; i++) {
            var row = new Object[fields.size()];
            row[0] = "k" + i;
            row[1] = random.bytes(24);
            row[2] = new byte[] {(byte) i, 0};
            if (withBox) {
                row[3] = random.bytes(40);
            }
            samples.add(row);
        }
        return samples.build();
    }

    private Path pack(String name, MemorySamples samples) {
        Format format = Formats.forOutput(Path.of(name));
        return Trees.pack(format, samples, folder.resolve(name));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 5_000})
    void everythingComesBackAndNumpyReadsIt(int count) throws Exception {
        for (String name : List.of("ours.npy", "ours.npz")) {
            MemorySamples samples = samples(count, name.endsWith("z"));
            Path ours = pack(name, samples);
            try (Container container = Container.open(ours)) {
                Same.assertSame(container, samples);
                assertThat(Same.isIntact(container)).isTrue();
            }
            try (Container container = Trees.openAnew(ours)) {
                Same.assertSameFields(
                        container,
                        samples,
                        f -> f.name().equals(Field.DATA)
                                || (name.endsWith("z") && !f.name().equals(Field.KEY)));
            }
            String script = """
                    import numpy as np, sys
                    a = np.load(sys.argv[1], allow_pickle=False)
                    if isinstance(a, np.ndarray):
                        assert a.shape[1:] == (2, 3) and a.dtype == np.dtype('<f4')
                        m = np.load(sys.argv[1], mmap_mode='r')
                        assert m.tobytes() == a.tobytes()
                        print(len(a), a.tobytes().hex()[-48:])
                    else:
                        assert a.files == ['data', 'label', 'box'], a.files
                        assert a['label'].dtype == np.dtype('<i2') and a['box'].shape[1:] == (40,)
                        assert all(a['label'][i] == i % 256 for i in range(len(a['label'])))
                        print(len(a['data']), a['data'].tobytes().hex()[-48:])
                    """;
            String last = count == 0 ? "" : java.util.HexFormat.of().formatHex(samples.bytes(count - 1, 1));
            assertThat(Python.require(REQUIREMENTS).output(script, ours).strip())
                    .isEqualTo((count + " " + last).strip());
        }
    }

    @Test
    void weReadWhatNumpyWrote() throws Exception {
        String script = """
                import numpy as np, os, sys
                os.chdir(sys.argv[1])
                x = np.arange(24, dtype='<u2').reshape(4, 3, 2)
                np.save('plain.npy', x); np.save('line.npy', np.arange(5.0)); np.save('column.npy', np.asfortranarray(np.arange(5.0)))
                np.savez('stored.npz', x=x, y=np.array([1, -2, 3, 4]))
                np.savez_compressed('deflated.npz', x=x, y=np.array([True, False, True, True]))
                """;
        Python.require(REQUIREMENTS).output(script, folder);
        try (Container plain = Container.open(folder.resolve("plain.npy"))) {
            assertThat(plain.count()).isEqualTo(4);
            assertThat(plain.schema().type(0)).isEqualTo(new FieldType.Tensor(DType.UINT16, List.of(3L, 2L)));
            assertThat(Same.bytes(plain, 1, 0)).containsExactly(6, 0, 7, 0, 8, 0, 9, 0, 10, 0, 11, 0);
        }
        for (String name : List.of("line.npy", "column.npy")) {
            try (Container line = Container.open(folder.resolve(name))) {
                assertThat(line.schema().type(0)).isEqualTo(new FieldType.Scalar(DType.FLOAT64));
                assertThat(Same.bytes(line, 1, 0)).containsExactly(0, 0, 0, 0, 0, 0, 0xf0, 0x3f);
            }
        }
        for (String name : List.of("stored.npz", "deflated.npz")) {
            try (Container both = Container.open(folder.resolve(name))) {
                assertThat(both.format()).isEqualTo("npz");
                assertThat(both.schema().fields().get(0).name()).isEqualTo("x");
                assertThat(Same.bytes(both, 1, 0)).containsExactly(6, 0, 7, 0, 8, 0, 9, 0, 10, 0, 11, 0);
                assertThat(Same.bytes(both, 1, 1)[0]).isEqualTo((byte) (name.startsWith("s") ? -2 : 0));
            }
        }
    }

    /** Keras keeps its data sets so: an array for each split and field. */
    @Test
    void arraysNamedAfterSplitsAreSplits() {
        String script = """
                import numpy as np, os, sys
                os.chdir(sys.argv[1])
                x, y = np.arange(5 * 32 * 2, dtype='<u2').reshape(5, 32, 2), np.arange(5)
                for save, name in (np.savez, 'stored'), (np.savez_compressed, 'deflated'):
                    save(name, x_train=x, y_train=y, x_test=x[:2] + 1, y_test=y[:2] + 1)
                """;
        Python.require(REQUIREMENTS).output(script, folder);
        for (String name : List.of("stored.npz", "deflated.npz")) {
            try (Container digits = Container.open(folder.resolve(name))) {
                assertThat(digits.splits()).containsExactly(new Split("train", 0, 5), new Split("test", 5, 2));
                assertThat(digits.omissions()).isEmpty();
                assertThat(digits.schema().fields().stream().map(Field::name)).containsExactly("x", "y");
                for (int i = 0; i < 7; i++) {
                    int row = i % 5;
                    int more = i / 5;
                    byte[] x = Same.bytes(digits, i, 0);
                    assertThat(x).hasSize(128);
                    for (int k = 0; k < 64; k++) {
                        assertThat((x[2 * k] & 0xff) | (x[2 * k + 1] & 0xff) << 8)
                                .isEqualTo(64 * row + k + more);
                    }
                    assertThat(Same.bytes(digits, i, 1)[0]).isEqualTo((byte) (row + more));
                }
            }
        }
    }

    @Test
    void membersThatAreNoSamplesAreToldOf() {
        String script = """
                import numpy as np, os, sys
                os.chdir(sys.argv[1])
                x = np.ones((60, 3))
                np.savez('odd.npz', x=x, names=np.array(['a', 'b']), number=np.float32(3), mean=np.ones(5, '<f4'),
                         fortran=np.asfortranarray(x), big=np.ones(60, '>f4'), records=np.zeros(60, [('a', '<i4')]))
                """;
        Python.require(REQUIREMENTS).output(script, folder);
        try (Container odd = Container.open(folder.resolve("odd.npz"))) {
            assertThat(odd.schema().fields().stream().map(Field::name)).containsExactly("x");
            assertThat(odd.omissions().stream().map(Omission::toString))
                    .satisfiesExactly(
                            names -> assertThat(names).contains("names (member", "fixed-width text"),
                            number -> assertThat(number).contains("number (array of", "is a single number"),
                            fortran -> assertThat(fortran).contains("fortran (array of", "np.ascontiguousarray"),
                            big -> assertThat(big).contains("big (array of", "big-endian"),
                            records -> assertThat(records).contains("records (member", "a structured type"),
                            mean -> assertThat(mean)
                                    .isEqualTo("mean (5 rows of type float32): the samples are the 60 rows of x"));
        }
    }

    @Test
    void whatIsNoArrayOfSamplesIsRefused() {
        String script = """
                import numpy as np, os, sys
                os.chdir(sys.argv[1])
                np.save('objects.npy', np.array([{}, []], dtype=object), allow_pickle=True)
                np.save('fortran.npy', np.asfortranarray(np.ones((3, 2))))
                np.save('big.npy', np.ones(3, '>f4'))
                np.save('records.npy', np.zeros(3, [('a', '<i4'), ('b', '<f4')]))
                np.save('number.npy', np.float32(3))
                with open('two.npy', 'wb') as f: np.save(f, np.ones(3)); np.save(f, np.ones(3))
                np.savez('lengths.npz', x=np.ones(3), y=np.ones(4))
                np.savez('objects.npz', x=np.array([{}], dtype=object))
                np.save('nothing.npy', np.empty((2**40, 0)))
                """;
        Python.require(REQUIREMENTS).output(script, folder);
        assertRefused("objects.npy", "without running code");
        assertRefused("fortran.npy", "Fortran order", "ascontiguousarray");
        assertRefused("big.npy", "big-endian");
        assertRefused("records.npy", "structured type");
        assertRefused("number.npy", "single number");
        assertRefused("two.npy", "more than one array");
        assertRefused("nothing.npy", "1048576 samples that hold nothing");
        assertRefused("lengths.npz", "'x' has 3", "'y' has 4");
        assertRefused("objects.npz", "'x.npy'", "without running code");
    }

    private void assertRefused(String name, String... reasons) {
        var refused = assertThatThrownBy(
                        () -> Container.open(folder.resolve(name)).close())
                .isInstanceOf(StokerException.class)
                .hasMessageContaining(name);
        for (String reason : reasons) {
            refused.hasMessageContaining(reason);
        }
    }

    @Test
    void fieldsThatVaryAreRefused() {
        MemorySamples files = Trees.samples(java.util.Map.of("a", "b"));
        for (String name : List.of("no.npy", "no.npz")) {
            assertThatThrownBy(() -> pack(name, files))
                    .isInstanceOf(StokerException.class)
                    .hasMessageContaining("'data' is of type bytes");
        }
        assertThatThrownBy(() -> pack("no.npy", samples(2, true)))
                .hasMessageContaining("'box'")
                .hasMessageContaining("npz");
    }

    @Test
    void everyTruncationIsNoticed() throws IOException {
        for (String name : List.of("cut.npy", "cut.npz")) {
            byte[] whole = Workshop.read(pack(name, samples(3, name.endsWith("z"))));
            for (int size = 0; size < whole.length; size++) {
                Workshop.write(folder.resolve(name), Arrays.copyOf(whole, size));
                assertThatThrownBy(() -> Trees.openAnew(folder.resolve(name)).close())
                        .isInstanceOf(StokerException.class)
                        .hasMessageContaining(name);
            }
        }
    }

    @Test
    void noFlippedBitBreaksTheReader() throws IOException {
        var random = seed.random();
        for (String name : List.of("flipped.npy", "flipped.npz")) {
            byte[] whole = Workshop.read(pack(name, samples(3, name.endsWith("z"))));
            for (int n = 0; n < 1_000; n++) {
                byte[] flipped = whole.clone();
                flipped[random.nextInt(whole.length)] ^= (byte) (1 << random.nextInt(8));
                Workshop.write(folder.resolve(name), flipped);
                try (Container container = Trees.openAnew(folder.resolve(name))) {
                    for (long i = 0; i < Math.min(10, container.count()); i++) {
                        container.value(i, 0);
                    }
                } catch (StokerException e) {
                    assertThat(e).hasMessageContaining(name);
                }
            }
        }
        Files.deleteIfExists(folder.resolve("flipped.npy"));
    }
}
