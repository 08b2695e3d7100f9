package dev.stoker.formats.tar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.container.Container;
import dev.stoker.json.Json;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Python;
import dev.stoker.testkit.Same;
import dev.stoker.testkit.Shaped;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** GNU tar, Python's tarfile and the webdataset package read what Stoker wrote, and the other way round. */
class TarInteropTest {
    private static final String REQUIREMENTS = "testkit/python/tar.txt";

    private static final String LONG = "folder/".repeat(28) + "n".repeat(104) + ".jpg";
    private static final List<String> NAMES = List.of(
            "a.jpg",
            "b/ж数.jpg",
            "b/with space.jpg",
            "b/new\nline.jpg",
            "c/no extension",
            "d/" + "p/".repeat(90) + "q.jpg");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private static MemorySamples everything() {
        var schema = new Schema(
                List.of(
                        new Field(Field.KEY, new FieldType.Text()),
                        new Field(Field.DATA, new FieldType.Bytes()),
                        new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)),
                        new Field("score", new FieldType.Scalar(DType.FLOAT32)),
                        new Field("good", new FieldType.Scalar(DType.BOOL)),
                        new Field("captions", new FieldType.Texts()),
                        new Field("thumb", new FieldType.Bytes()),
                        new Field("box", new FieldType.Tensor(DType.FLOAT32, List.of(2L))),
                        new Field("mask", new FieldType.Array(DType.UINT8, 2))),
                List.of("cat", "dog"));
        var samples = MemorySamples.of(schema);
        for (int i = 0; i < 5; i++) {
            samples.add(
                    "x/ключ " + i + ".a.jpg",
                    "data %d".formatted(i).repeat(i * 100).getBytes(StandardCharsets.UTF_8),
                    i - 1,
                    0.1f * i,
                    i % 2 == 0,
                    List.of("ein\n\"Satz\"", "第" + i),
                    new byte[i],
                    new byte[] {0, 0, 0, (byte) (0x40 + i), 0, 0, -128, 0x3f},
                    new Shaped(new long[] {i, 2}, new byte[2 * i]));
        }
        return samples.build();
    }

    @Test
    void gnuTarExtractsOurs() throws Exception {
        Path archive = Archives.pack(names(), folder.resolve("ours.tar"));
        Path out = Files.createDirectory(folder.resolve("out"));
        Archives.run(folder, "tar", "tvf", archive.toString());
        Archives.run(out, "tar", "xf", archive.toString());
        assertThat(tree(out)).isEqualTo(expected());
    }

    @Test
    void pythonsTarfileReadsOurs() throws Exception {
        Path archive = Archives.pack(names(), folder.resolve("ours.tar"));
        String script = """
                import json, sys, tarfile
                with tarfile.open(sys.argv[1]) as tar:
                    print(json.dumps([[m.name, tar.extractfile(m).read().decode('latin-1'), m.mode, m.mtime, m.uid, m.uname]
                                      for m in tar]))
                """;
        var expected = new ArrayList<Object>();
        for (String name : allNames()) {
            expected.add(List.of(name, "content of " + name.length(), 0644L, 0L, 0L, ""));
        }
        assertThat(Json.parse(Python.require(REQUIREMENTS).output(script, archive), "tarfile"))
                .isEqualTo(expected);
    }

    @Test
    void webdatasetReadsEveryValueOfOurs() throws Exception {
        MemorySamples samples = everything();
        Path archive = Archives.pack(samples, folder.resolve("ours.tar"));
        String script = """
                import io, json, sys, warnings
                warnings.simplefilter('error')
                warnings.simplefilter('ignore', ResourceWarning)  # the package leaves its file open
                import numpy as np, webdataset as wds
                def array(b):
                    a = np.load(io.BytesIO(b))
                    return [str(a.dtype), list(a.shape), a.ravel().tolist()]
                print(json.dumps([[s['__key__'], s['a.jpg'].decode(), int(s['cls']), json.loads(s['json']), len(s['thumb']),
                                   array(s['box.npy']), array(s['mask.npy']), len(s)]
                                  for s in wds.WebDataset(sys.argv[1], shardshuffle=False)]))
                """;
        var result = Python.require(REQUIREMENTS).run(script, archive);
        assertThat(result.err()).isEmpty();
        var expected = new ArrayList<Object>();
        for (int i = 0; i < samples.count(); i++) {
            expected.add(List.of(
                    "x/ключ " + i,
                    "data %d".formatted(i).repeat(i * 100),
                    i - 1L,
                    Map.of(
                            "score",
                            (double) (0.1f * i),
                            "good",
                            i % 2 == 0,
                            "captions",
                            List.of("ein\n\"Satz\"", "第" + i)),
                    (long) i,
                    List.of("float32", List.of(2L), List.of((double) Float.intBitsToFloat((0x40 + i) << 24), 1.0)),
                    List.of("uint8", List.of((long) i, 2L), new ArrayList<>(Collections.nCopies(2 * i, 0L))),
                    9L));
        }
        assertThat(Json.parse(result.out(), "webdataset")).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"v7", "ustar", "gnu", "oldgnu", "pax", "posix"})
    void weReadWhatGnuTarWrote(String format) throws Exception {
        boolean roomy = !format.equals("v7") && !format.equals("ustar");
        Path tree = Files.createDirectory(folder.resolve("tree"));
        for (String name : roomy ? allNames() : NAMES.subList(0, 5)) {
            Path file = tree.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "content of " + name.length());
        }
        Files.createFile(tree.resolve("empty.jpg"));
        Files.createLink(tree.resolve("e-hard.jpg"), tree.resolve("a.jpg"));
        Files.createSymbolicLink(tree.resolve("soft.jpg"), Path.of("a.jpg"));
        Map<String, String> expected = new TreeMap<>(tree(tree));
        expected.remove("soft.jpg");
        Archives.run(tree, "tar", "--format=" + format, "--sort=name", "-cf", "../theirs.tar", ".");
        try (Container container = Archives.openAnew(folder.resolve("theirs.tar"))) {
            assertThat(container.format()).isEqualTo("tar");
            assertThat(new TreeMap<>(Archives.contents(container))).isEqualTo(expected);
        }
    }

    /** Each member holds its own name, so that the values of a sample tell which members it has. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.jpg 1.txt 2.jpg 3.jpg 4.jpg 5.jpg 6.jpg 7.jpg 8.jpg 9.jpg 10.jpg",
                "1.jpg 2.jpg 2.txt 3.jpg 4.txt 4.jpg 5.jpg",
                "1.jpg 1.txt 2.jpg 1.jpg 1.txt 1.seg.png 3.txt",
                "a/x.1.jpg a/x.1.txt a.b/c.jpg a.b/c.txt b/x.jpg b/X.txt"
            })
    void weGroupMembersAsWebdatasetDoes(String names) throws Exception {
        String script = """
                import io, json, sys, tarfile, webdataset as wds
                with tarfile.open(sys.argv[1], 'w') as out:
                    for name in sys.argv[2].split():
                        member = tarfile.TarInfo(name)
                        member.size = len(name)
                        out.addfile(member, io.BytesIO(name.encode()))
                print(json.dumps([sorted(value.decode() for name, value in sample.items() if not name.startswith('__'))
                                  for sample in wds.WebDataset(sys.argv[1], shardshuffle=False)]))
                """;
        Path archive = folder.resolve("theirs.tar");
        String theirs = Python.require(REQUIREMENTS).output(script, archive, names);
        var ours = new ArrayList<Object>();
        try (Container container = Archives.openAnew(archive)) {
            for (long i = 0; i < container.count(); i++) {
                var values = new TreeSet<Object>();
                for (int f = 1; f < container.schema().size(); f++) {
                    values.add(container.text(i, f));
                }
                values.remove("");
                ours.add(new ArrayList<>(values));
            }
        }
        assertThat(ours).isEqualTo(Json.parse(theirs, "webdataset"));
    }

    @Test
    void weReadWhatWebdatasetWrote() throws Exception {
        String script = """
                import sys, numpy as np, webdataset as wds
                with wds.TarWriter(sys.argv[1]) as out:
                    for i in range(20):
                        sample = {'__key__': 'a/sample%03d' % i, 'jpg': b'jpeg %d' % i, 'txt': 'text %d' % i,
                                  'json': {'score': i / 4 if i else 0, 'name': 'n%d' % i, 'tags': ['x', 'y'], 'ok': i > 3},
                                  'box.npy': np.arange(4, dtype='<f4') + i, 'poly.npy': np.ones((i, 2), dtype='<i8')}
                        if i != 7: sample['cls'] = i % 3
                        out.write(sample)
                """;
        Path archive = folder.resolve("theirs.tar");
        Python.require(REQUIREMENTS).output(script, archive);
        try (Container container = Archives.openAnew(archive)) {
            assertThat(container.schema().fields().stream()
                            .map(f -> f.name() + ":" + f.type().label()))
                    .containsExactlyInAnyOrder(
                            "key:text",
                            "data:bytes",
                            "label:int64",
                            "score:float64",
                            "name:text",
                            "tags:text[]",
                            "ok:bool",
                            "txt:bytes",
                            "box:float32[4]",
                            "poly:int64[*,*]");
            assertThat(container.count()).isEqualTo(20);
            for (int i = 0; i < 20; i++) {
                assertThat(text(container, i, "key")).isEqualTo("a/sample%03d.jpg".formatted(i));
                assertThat(text(container, i, "data")).isEqualTo("jpeg " + i);
                assertThat(text(container, i, "txt")).isEqualTo("text " + i);
                assertThat(text(container, i, "name")).isEqualTo("n" + i);
                assertThat(number(container, i, "label")).isEqualTo(i == 7 ? -1 : i % 3);
                assertThat(Double.longBitsToDouble(number(container, i, "score")))
                        .isEqualTo(i / 4.0);
                assertThat(container.shape(i, container.schema().place("poly"))).containsExactly(i, 2);
                assertThat(Same.bytes(container, i, container.schema().place("poly")))
                        .hasSize(16 * i);
                float first = ByteBuffer.wrap(
                                Same.bytes(container, i, container.schema().place("box")))
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .getFloat();
                assertThat(first).isEqualTo(i);
            }
        }
    }

    private static String text(Container container, long sample, String field) {
        return container.text(sample, container.schema().place(field));
    }

    private static long number(Container container, long sample, String field) {
        return ByteBuffer.wrap(Same.bytes(container, sample, container.schema().place(field)))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong();
    }

    private static List<String> allNames() {
        var names = new ArrayList<>(NAMES);
        names.add(LONG);
        return names;
    }

    private static MemorySamples names() {
        var samples = MemorySamples.of(
                new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes()));
        for (String name : allNames()) {
            samples.add(name, Archives.utf8("content of " + name.length()));
        }
        return samples.build();
    }

    private static Map<String, String> expected() {
        var expected = new TreeMap<String, String>();
        allNames().forEach(name -> expected.put(name, "content of " + name.length()));
        return expected;
    }

    private static Map<String, String> tree(Path root) throws IOException {
        var found = new TreeMap<String, String>();
        try (var paths = Files.walk(root)) {
            for (Path path : paths.filter(Files::isRegularFile).toList()) {
                found.put(root.relativize(path).toString(), Files.readString(path));
            }
        }
        return found;
    }
}
