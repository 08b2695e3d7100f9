package dev.stoker.formats.tfrecord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.formats.Trees;
import dev.stoker.json.Json;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.TextList;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Python;
import dev.stoker.testkit.Same;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tfrecord package and protobuf read what Stoker wrote, and the other way round. */
class TfRecordInteropTest {
    private static final String REQUIREMENTS = "testkit/python/tfrecord.txt";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private static MemorySamples samples() {
        var samples = MemorySamples.of(
                new Field(Field.KEY, new FieldType.Text()),
                new Field(Field.DATA, new FieldType.Bytes()),
                new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)),
                new Field("small", new FieldType.Scalar(DType.INT8)),
                new Field("large", new FieldType.Scalar(DType.UINT32)),
                new Field("score", new FieldType.Scalar(DType.FLOAT32)),
                new Field("exact", new FieldType.Scalar(DType.FLOAT64)),
                new Field("captions", new FieldType.Texts()),
                new Field("box", new FieldType.Tensor(DType.FLOAT32, List.of(2L))),
                new Field("pixels", new FieldType.Tensor(DType.UINT8, List.of(2L, 2L))));
        for (int i = 0; i < 3; i++) {
            samples.add(
                    "x/ключ " + i,
                    "data %d".formatted(i).repeat(i * 100).getBytes(StandardCharsets.UTF_8),
                    i - 1L,
                    -i,
                    (int) 4_000_000_000L,
                    0.5f * i,
                    0.1,
                    List.of("ein Satz", "第" + i).subList(0, i),
                    new byte[] {0, 0, -128, 0x3f, 0, 0, 0, 0x40},
                    new byte[] {1, 2, 3, (byte) i});
        }
        return samples.build();
    }

    @Test
    void othersReadEveryValueOfOurs() throws Exception {
        Path ours = Trees.pack(new TfRecordFormat(), samples(), folder.resolve("ours.tfrecord"));
        String script = """
                import crc32c, json, struct, sys
                from tfrecord import example_pb2
                def masked(b):
                    c = crc32c.crc32c(b)
                    return ((c >> 15 | c << 17) + 0xa282ead8) & 0xffffffff
                rows = []
                with open(sys.argv[1], 'rb') as f:
                    while head := f.read(12):
                        length, crc = struct.unpack('<QI', head)
                        assert crc == masked(head[:8])
                        body = f.read(length)
                        assert struct.unpack('<I', f.read(4))[0] == masked(body)
                        example = example_pb2.Example.FromString(body)
                        row = {}
                        for name, feature in example.features.feature.items():
                            kind = feature.WhichOneof('kind')
                            values = list(getattr(feature, kind).value)
                            row[name] = [kind] + [v.decode('latin-1') if kind == 'bytes_list' else v for v in values]
                        rows.append(row)
                from tfrecord.reader import tfrecord_loader
                loaded = [r['label'].tolist() for r in tfrecord_loader(sys.argv[1], None)]
                assert loaded == [r['label'][1:] for r in rows], loaded
                print(json.dumps(rows))
                """;
        Object found = Json.parse(Python.require(REQUIREMENTS).output(script, ours), "examples");
        byte[] exact = {(byte) 0x9a, (byte) 0x99, (byte) 0x99, (byte) 0x99, (byte) 0x99, (byte) 0x99, (byte) 0xb9, 0x3f
        };
        Map<String, List<?>> expected = Map.of(
                "key", List.of("bytes_list", latin("x/ключ 2")),
                "data", List.of("bytes_list", "data 2".repeat(200)),
                "label", List.of("int64_list", 1L),
                "small", List.of("int64_list", -2L),
                "large", List.of("int64_list", 4_000_000_000L),
                "score", List.of("float_list", 1.0),
                "exact", List.of("bytes_list", latin(exact)),
                "captions", List.of("bytes_list", "ein Satz", latin("第2")),
                "box", List.of("float_list", 1.0, 2.0),
                "pixels", List.of("bytes_list", "\1\2\3\2"));
        assertThat(found).isInstanceOf(List.class);
        assertThat(((List<?>) found).size()).isEqualTo(3);
        assertThat(((List<?>) found).get(2)).isEqualTo(expected);
    }

    private static String latin(String text) {
        return latin(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Test
    void weReadWhatOthersWrote() throws Exception {
        Path theirs = folder.resolve("theirs.tfrecord");
        String script = """
                import sys, tfrecord
                w = tfrecord.TFRecordWriter(sys.argv[1])
                for i in range(3):
                    row = {'key': (('k%d' % i).encode(), 'byte'), 'data': (b'\\xff' * i, 'byte'), 'label': (i - 1, 'int'),
                           'box': ([0.5 * i, 2.0], 'float'), 'ids': (list(range(i)), 'int'), 'p': (0.25, 'float')}
                    if i == 2: row['late'] = (b'here', 'byte')
                    w.write(row)
                w.close()
                """;
        Python.require(REQUIREMENTS).output(script, theirs);
        try (Container container = Trees.openAnew(theirs)) {
            assertThat(container.schema().fields().toString())
                    .isEqualTo(List.of(
                                    new Field("key", new FieldType.Text()),
                                    new Field("data", new FieldType.Bytes()),
                                    new Field("box", new FieldType.Tensor(DType.FLOAT32, List.of(2L))),
                                    new Field("ids", new FieldType.Array(DType.INT64, 1)),
                                    new Field("label", new FieldType.Scalar(DType.INT64)),
                                    new Field("late", new FieldType.Bytes()),
                                    new Field("p", new FieldType.Scalar(DType.FLOAT32)))
                            .toString());
            assertThat(container.text(2, 0)).isEqualTo("k2");
            assertThat(Same.bytes(container, 2, 1)).containsExactly(-1, -1);
            assertThat(Same.bytes(container, 1, 2)).containsExactly(0, 0, 0, 0x3f, 0, 0, 0, 0x40);
            assertThat(container.shape(2, 3)).containsExactly(2);
            assertThat(Same.bytes(container, 0, 4)).containsExactly(-1, -1, -1, -1, -1, -1, -1, -1);
            assertThat(Same.bytes(container, 0, 5)).isEmpty();
            assertThat(container.text(2, 5)).isEqualTo("here");
        }
    }

    @Test
    void ourOwnListsOfTextComeBackWithoutSidecar() throws Exception {
        Path ours = Trees.pack(new TfRecordFormat(), samples(), folder.resolve("ours.tfrecord"));
        try (Container container = Trees.openAnew(ours)) {
            int captions = container.schema().place("captions");
            assertThat(TextList.decode(container.value(2, captions))).containsExactly("ein Satz", "第2");
        }
    }

    /** A record with its CRCs around any bytes. */
    private Path record(int... example) throws IOException {
        var bytes = new byte[example.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) example[i];
        }
        var crc = new CRC32C();
        crc.update(bytes);
        var out = new ByteArrayOutputStream();
        out.writeBytes(Records.header(bytes.length));
        out.writeBytes(bytes);
        out.writeBytes(Records.footer((int) crc.getValue()));
        return Files.write(folder.resolve("hostile.tfrecord"), out.toByteArray());
    }

    private void assertRefused(Class<?> kind, Path place, String reason) {
        assertThatThrownBy(() -> Trees.openAnew(place).close())
                .isInstanceOf(kind)
                .hasMessageContaining("hostile.tfrecord")
                .hasMessageContaining(reason);
    }

    @Test
    void whatIsNoExampleIsRefused() throws IOException {
        assertRefused(StokerException.class, record(), "none has a feature");
        assertRefused(StokerException.class, record(0x12, 0), "number 2");
        assertRefused(CorruptContainerException.class, record(0x0a, 5), "should have 5 bytes");
        assertRefused(CorruptContainerException.class, record(0x0a, 0xff), "extends past the end");
        assertRefused(
                CorruptContainerException.class,
                record(0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01),
                "should have -1 bytes");
        // A feature "a" that is of two kinds, that is twice there, and whose floats are no floats.
        assertRefused(
                StokerException.class, record(0x0a, 11, 0x0a, 9, 0x0a, 1, 'a', 0x12, 4, 0x0a, 0, 0x12, 0), "number 2");
        assertRefused(
                StokerException.class,
                record(0x0a, 18, 0x0a, 7, 0x0a, 1, 'a', 0x12, 2, 0x0a, 0, 0x0a, 7, 0x0a, 1, 'a', 0x12, 2, 0x0a, 0),
                "'a' is twice");
        assertRefused(
                CorruptContainerException.class,
                record(0x0a, 12, 0x0a, 10, 0x0a, 1, 'a', 0x12, 5, 0x12, 3, 0x0a, 1, 7),
                "'a' is not a list");
    }

    @Test
    void damagedRecordsAreRefused() throws IOException {
        byte[] bytes = Files.readAllBytes(Trees.pack(new TfRecordFormat(), samples(), folder.resolve("ours.tfrecord")));
        Path hostile = folder.resolve("hostile.tfrecord");
        for (int at = Records.HEADER_BYTES; at < bytes.length; at += 7) {
            bytes[at] ^= 1;
            Files.write(hostile, bytes);
            assertRefused(CorruptContainerException.class, hostile, "CRC");
            bytes[at] ^= 1;
        }
        MemorySegment.copy(
                MemorySegment.ofArray(Records.header(Long.MAX_VALUE)), 0, MemorySegment.ofArray(bytes), 0, 12);
        Files.write(hostile, bytes);
        assertRefused(CorruptContainerException.class, hostile, "truncated");
    }
}
