package dev.stoker.formats.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.StokerException;
import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.formats.Trees;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Split;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Python;
import dev.stoker.testkit.Same;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Shaped;
import dev.stoker.write.Packer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Python's lmdb reads what Stoker wrote, and the other way round. */
class LmdbInteropTest {
    private static final String REQUIREMENTS = "testkit/python/lmdb.txt";

    /** Reads a whole environment by looking each key up, and compares with the files of a folder. */
    private static final String READ_ALL = """
            import lmdb, os, sys
            path, folder, subdir = sys.argv[1], sys.argv[2], sys.argv[3] == 'folder'
            env = lmdb.open(path, subdir=subdir, readonly=True, lock=False, max_dbs=8)
            stat = env.stat()
            with env.begin(buffers=True) as txn:
                keys = env.open_db(b'key', txn)
                count = txn.stat(keys)['entries']
                for i in range(count):
                    k = b'%09d' % i
                    name = bytes(txn.get(k, db=keys)).decode()
                    assert bytes(txn.get(k)) == open(os.path.join(folder, name), 'rb').read(), name
                walked = [bytes(k) for k, v in txn.cursor(db=keys)]
                assert walked == [b'%09d' % i for i in range(count)]
                assert txn.get(b'%09d' % count) is None
                back = [bytes(k) for k, v in txn.cursor(db=keys).iterprev()]
                assert back == walked[::-1]
                print(stat['psize'], stat['entries'], txn.stat(keys)['depth'], count)
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @RegisterExtension
    final Seed seed = new Seed();

    private Path pack(Format format, Samples samples, String name, Map<String, String> settings) {
        Path place = folder.resolve(name);
        var how = new Packer.Settings(new FormatOptions(Map.of(), settings), 2, false, true, false);
        new Packer(samples, format, place, how, new Progress()).run();
        return place;
    }

    @ParameterizedTest
    @ValueSource(ints = {512, 4096, 16_384, 32_768})
    void pythonReadsEveryKeyOfOurs(int pageBytes) throws Exception {
        RandomGenerator random = seed.random();
        var files = new TreeMap<>(Trees.usual());
        for (int i = 0; i < 3_000; i++) {
            // Around the length beyond which a value leaves its leaf, whatever the size of a page.
            int length = random.nextInt(4) == 0 ? random.nextInt(2 * pageBytes) : random.nextInt(200);
            files.put(
                    "many/%04d".formatted(i), "%d ".formatted(i).repeat(length).substring(0, length));
        }
        Trees.write(folder.resolve("files"), files);
        Path ours = pack(new LmdbFormat(pageBytes), Trees.samples(files), "ours.lmdb", Map.of());
        assertThat(ours.resolve("data.mdb")).isRegularFile();
        assertThat(ours.resolve("data.mdb.stkx")).isRegularFile();
        String[] said = Python.require(REQUIREMENTS)
                .output(READ_ALL, ours, folder.resolve("files"), "folder")
                .strip()
                .split(" ");
        assertThat(said[0]).isEqualTo(Integer.toString(pageBytes));
        // The samples, the database of keys, and the schema.
        assertThat(said[1]).isEqualTo(Integer.toString(files.size() + 2));
        assertThat(said[3]).isEqualTo(Integer.toString(files.size()));
        try (Container container = Trees.openAnew(ours.resolve("data.mdb"))) {
            assertThat(Trees.contents(container)).isEqualTo(Trees.shown(files));
        }
    }

    @Test
    void theNameOrTheLayoutSaysWhetherItIsAFolder() throws Exception {
        MemorySamples samples = Trees.samples(Map.of("a", "b"));
        assertThat(pack(new LmdbFormat(), samples, "one.mdb", Map.of())).isRegularFile();
        assertThat(pack(new LmdbFormat(), samples, "two.lmdb", Map.of("layout", "file")))
                .isRegularFile();
        assertThat(pack(new LmdbFormat(), samples, "three.mdb", Map.of("layout", "folder")))
                .isDirectory();
        for (String name : List.of("one.mdb", "two.lmdb", "three.mdb")) {
            try (Container container = Container.open(folder.resolve(name))) {
                assertThat(container.format()).isEqualTo("lmdb");
                assertThat(container.text(0, 0)).isEqualTo("a");
            }
        }
    }

    @Test
    void everyTypeOfFieldIsSimpleToRead() {
        var samples = MemorySamples.of(
                new Field(Field.KEY, new FieldType.Text()),
                new Field(Field.DATA, new FieldType.Bytes()),
                new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)),
                new Field("captions", new FieldType.Texts()),
                new Field("box", new FieldType.Tensor(DType.FLOAT32, List.of(2L, 3L))),
                new Field("mask", new FieldType.Array(DType.UINT16, 2)));
        for (int i = 0; i < 3; i++) {
            samples.add(
                    "k/" + i,
                    new byte[] {1, 2, (byte) i},
                    (long) i - 1,
                    List.of("ein Satz", "第" + i),
                    new byte[] {0, 0, -128, 0x3f, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -128, 0x3f},
                    new Shaped(new long[] {1, 2}, new byte[] {1, 0, 2, 0}));
        }
        samples.splits(List.of(new Split("train", 0, 2), new Split("val", 2, 1)));
        Path ours = pack(new LmdbFormat(), samples.build(), "ours.lmdb", Map.of());
        String script = """
                import io, json, lmdb, numpy as np, sys
                env = lmdb.open(sys.argv[1], readonly=True, lock=False, max_dbs=16)
                names = [bytes(k).decode() for k, _ in env.begin().cursor()]
                with env.begin() as txn:
                    db = lambda name: env.open_db(name.encode(), txn, create=False)
                    k = b'%09d' % 1
                    assert txn.get(k, db=db('train')) == b'\\x01\\x02\\x01'
                    assert np.frombuffer(txn.get(k, db=db('train/label')), '<i8')[0] == 0
                    assert np.frombuffer(txn.get(k, db=db('train/box')), '<f4').reshape(2, 3).tolist() == [[1, 2, 0], [0, 0, 1]]
                    assert json.loads(txn.get(k, db=db('train/captions'))) == ['ein Satz', '第1']
                    assert np.load(io.BytesIO(txn.get(b'%09d' % 0, db=db('val/mask')))).tolist() == [[1, 2]]
                    assert txn.get(b'%09d' % 0, db=db('val/key')) == b'k/2'
                    assert txn.stat(db('train'))['entries'] == 2
                    schema = json.loads(txn.get(b'stoker.schema')[9:])
                    assert [f['name'] for f in schema['fields']] == ['key', 'data', 'label', 'captions', 'box', 'mask']
                print(' '.join(names))
                """;
        assertThat(Python.require(REQUIREMENTS).output(script, ours).strip())
                .isEqualTo("stoker.schema train train/box train/captions train/key train/label train/mask"
                        + " val val/box val/captions val/key val/label val/mask");
    }

    @Test
    void keysOfSamplesAreFoundWhateverTheOrderOfTheSource() throws Exception {
        var samples = MemorySamples.of(
                new Field(Field.KEY, new FieldType.Text()),
                new Field(Field.DATA, new FieldType.Bytes()),
                new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)));
        var random = seed.random();
        for (int i = 0; i < 2_000; i++) {
            int number = i * 7_919 % 2_000;
            samples.add("n/%d.jpg".formatted(number), new byte[random.nextInt(3_000)], (long) number);
        }
        MemorySamples built = samples.build();
        Path ours = pack(new LmdbFormat(), built, "ours.lmdb", Map.of("keys", "sample"));
        String script = """
                import lmdb, numpy as np, sys
                env = lmdb.open(sys.argv[1], readonly=True, lock=False, max_dbs=2)
                label = env.open_db(b'label', create=False)
                with env.begin() as txn:
                    for i in range(2000):
                        k = b'n/%d.jpg' % i
                        assert np.frombuffer(txn.get(k, db=label), '<i8')[0] == i
                        print(len(txn.get(k)))
                """;
        String[] lengths = Python.require(REQUIREMENTS).output(script, ours).split("\n");
        try (Container container = Container.open(ours)) {
            Same.assertSame(container, built);
            assertThat(Same.isIntact(container)).isTrue();
            for (int i = 0; i < 2_000; i++) {
                int number = i * 7_919 % 2_000;
                assertThat(lengths[number]).isEqualTo(Long.toString(container.length(i, 1)));
            }
        }
        Files.delete(ours.resolve("data.mdb.stkx"));
        try (Container container = Container.open(ours)) {
            assertThat(container.text(0, 0)).isEqualTo("n/0.jpg");
            assertThat(container.text(1, 0)).isEqualTo("n/1.jpg");
            assertThat(container.text(2, 0)).isEqualTo("n/10.jpg");
            assertThat(container.length(2, 1)).isEqualTo(Long.parseLong(lengths[10]));
        }
    }

    @Test
    void keysThatLmdbCannotHoldAreRefused() {
        assertRefused(Map.of("k".repeat(512), ""), "has 512");
        assertRefused(Map.of("stoker.schema", ""), "'stoker.schema'");
    }

    private void assertRefused(Map<String, String> files, String reason) {
        assertThatThrownBy(() -> pack(new LmdbFormat(), Trees.samples(files), "no.lmdb", Map.of("keys", "sample")))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining(reason)
                .hasMessageContaining("--keys number");
        assertThat(folder.resolve("no.lmdb")).doesNotExist();
    }

    /** Python writes on into our environment: what it finds there must be a tree that can be changed. */
    @Test
    void pythonChangesWhatWeWrote() throws Exception {
        var files = new TreeMap<String, String>();
        for (int i = 0; i < 5_000; i++) {
            files.put("%05d".formatted(i), "v".repeat(i % 5 == 0 ? 5_000 : i % 100));
        }
        Path ours = pack(new LmdbFormat(), Trees.samples(files), "ours.lmdb", Map.of("keys", "sample"));
        String script = """
                import lmdb, sys
                env = lmdb.open(sys.argv[1], map_size=1 << 28)
                with env.begin(write=True) as txn:
                    assert txn.delete(b'stoker.schema')
                    for i in range(0, 5000, 3): assert txn.delete(b'%05d' % i)
                    for i in range(5000, 9000): txn.put(b'%05d' % i, b'new' * (i % 1500))
                    for i in range(1, 5000, 30): txn.put(b'%05d' % i, b'changed')
                with env.begin(write=True) as txn:
                    for i in range(8000, 9000): assert txn.delete(b'%05d' % i)
                env.close()
                """;
        Python.require(REQUIREMENTS).output(script, ours);
        for (int i = 0; i < 5_000; i += 3) {
            files.remove("%05d".formatted(i));
        }
        for (int i = 5_000; i < 8_000; i++) {
            files.put("%05d".formatted(i), "new".repeat(i % 1500));
        }
        for (int i = 1; i < 5_000; i += 30) {
            files.put("%05d".formatted(i), "changed");
        }
        try (Container container = Trees.openAnew(ours.resolve("data.mdb"))) {
            assertThat(Trees.contents(container)).isEqualTo(Trees.shown(files));
        }
    }

    @Test
    void weReadWhatPythonWrote() throws Exception {
        Path theirs = folder.resolve("theirs.lmdb");
        String script = """
                import lmdb, sys
                env = lmdb.open(sys.argv[1], map_size=1 << 26)
                # Several transactions, so that pages are freed and used again.
                for turn in range(5):
                    with env.begin(write=True) as txn:
                        for i in range(1000):
                            txn.put(b'%09d' % i, bytes([turn]) * (i * (turn + 1) % 9000))
                with env.begin(write=True) as txn:
                    for i in range(0, 1000, 2): txn.delete(b'%09d' % i)
                env.close()
                """;
        Python.require(REQUIREMENTS).output(script, theirs);
        try (Container container = Container.open(theirs)) {
            assertThat(container.count()).isEqualTo(500);
            assertThat(container.splits()).isEmpty();
            for (int i = 0; i < 500; i++) {
                int number = 2 * i + 1;
                assertThat(container.text(i, 0)).isEqualTo("%09d".formatted(number));
                var expected = new byte[number * 5 % 9000];
                java.util.Arrays.fill(expected, (byte) 4);
                assertThat(Same.bytes(container, i, 1)).isEqualTo(expected);
            }
        }
    }

    @Test
    void namedDatabasesAreSplits() {
        Path theirs = folder.resolve("theirs.mdb");
        String script = """
                import lmdb, sys
                env = lmdb.open(sys.argv[1], subdir=False, max_dbs=4)
                dbs = [env.open_db(n) for n in (b'train', b'val', b'empty')]
                numbers = env.open_db(b'numbers', integerkey=True)
                with env.begin(write=True) as txn:
                    for i in range(300): txn.put(b'a%03d' % i, b'T' * i, db=dbs[0])
                    txn.put('ключ'.encode(), b'V' * 5000, db=dbs[1])
                    txn.put(b'num-samples', b'301')
                    for i in (70000, 5): txn.put(i.to_bytes(4, 'little'), b'x', db=numbers)
                env.close()
                """;
        Python.require(REQUIREMENTS).output(script, theirs);
        try (Container container = Container.open(theirs)) {
            assertThat(container.splits())
                    .containsExactly(
                            new Split("main", 0, 1),
                            new Split("empty", 1, 0),
                            new Split("numbers", 1, 2),
                            new Split("train", 3, 300),
                            new Split("val", 303, 1));
            assertThat(container.text(0, 0)).isEqualTo("num-samples");
            assertThat(container.text(1, 0)).isEqualTo("5");
            assertThat(container.text(2, 0)).isEqualTo("70000");
            assertThat(container.text(303, 0)).isEqualTo("ключ");
            assertThat(new String(Same.bytes(container, 303, 1), StandardCharsets.UTF_8))
                    .isEqualTo("V".repeat(5000));
        }
    }

    @Test
    void binaryKeysAreBytesAndSeveralValuesAreRefused() {
        String script = """
                import lmdb, sys
                env = lmdb.open(sys.argv[1] + '/digests', max_dbs=1)
                with env.begin(write=True) as txn: txn.put(b'\\xff\\x00', b'1')
                env.close()
                env = lmdb.open(sys.argv[1] + '/several', max_dbs=1)
                db = env.open_db(b'lists', dupsort=True)
                with env.begin(write=True) as txn: txn.put(b'a', b'1', db=db); txn.put(b'a', b'2', db=db)
                env.close()
                lmdb.open(sys.argv[1] + '/empty').close()
                """;
        Python.require(REQUIREMENTS).output(script, folder);
        try (Container container = Container.open(folder.resolve("digests"))) {
            assertThat(container.schema().type(0)).isEqualTo(new FieldType.Bytes());
            assertThat(Same.bytes(container, 0, 0)).containsExactly(-1, 0);
        }
        assertThatThrownBy(() -> Container.open(folder.resolve("several")))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("'lists'")
                .hasMessageContaining("DUPSORT");
        try (Container container = Container.open(folder.resolve("empty"))) {
            assertThat(container.count()).isZero();
        }
    }
}
