package dev.stoker.testkit;

import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.StkFormat;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes the golden files in {@code testkit/src/test/resources/golden}: {@code version-1.stk}, and {@code version-1.plain}
 * with its sidecar. They are never made again: what an earlier Stoker wrote, every later one reads. A new version of the
 * Index adds files beside them.
 */
final class GoldenFiles {
    static final String NAME = "version-1";

    private GoldenFiles() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        pack(new StkFormat(), folder, splitSamples());
        pack(new PlainFormat(), folder, samples().build());
    }

    static Path pack(Format format, Path folder, MemorySamples samples) {
        return new Workshop(format, FormatOptions.NONE, folder, new SplittableRandom(0)).pack(samples, NAME);
    }

    static MemorySamples splitSamples() {
        return samples()
                .splits(List.of(new Split("train", 0, 2), new Split("val", 2, 1)))
                .build();
    }

    /** One field of every kind, and the corners of their values. */
    static MemorySamples.Builder samples() {
        var schema = new Schema(
                List.of(
                        new Field(Field.KEY, new FieldType.Text()),
                        new Field(Field.DATA, new FieldType.Bytes()),
                        new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)),
                        new Field("captions", new FieldType.Texts()),
                        new Field("weight", new FieldType.Scalar(DType.FLOAT32)),
                        new Field("подпись", new FieldType.Text()),
                        new Field("box", new FieldType.Tensor(DType.UINT16, List.of(3L, 4L))),
                        new Field("mask", new FieldType.Array(DType.INT8, 2))),
                List.of("n01440764", "katze \"ü\""));
        return MemorySamples.of(schema)
                .add(
                        "a/ключ 1.jpg",
                        new byte[] {1, 2, 3, 4, 5},
                        0L,
                        List.of("one", "", "три"),
                        1.5f,
                        "text",
                        counted(24),
                        new Shaped(new long[] {2, 3}, counted(6)))
                .add(
                        "a/2.jpg",
                        new byte[0],
                        Field.NO_LABEL,
                        List.of(),
                        Float.NaN,
                        "",
                        counted(24),
                        new Shaped(new long[] {0, 7}, new byte[0]))
                .add(
                        "b/3\n.jpg",
                        counted(200),
                        1L,
                        List.of("x"),
                        -0f,
                        "🚂",
                        new byte[24],
                        new Shaped(new long[] {1, 1}, new byte[] {-1}));
    }

    private static byte[] counted(int length) {
        var bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }
}
