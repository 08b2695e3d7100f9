package dev.stoker.fuzz;

import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Workshop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A format, and how a container of it is packed. */
public record Variant(String format, Map<String, String> settings) {
    static final int FEW = 4;
    private static final Schema ALL_TYPES = new Schema(
            List.of(
                    new Field(Field.KEY, new FieldType.Text()),
                    new Field(Field.DATA, new FieldType.Bytes()),
                    new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)),
                    new Field("captions", new FieldType.Texts()),
                    new Field("box", new FieldType.Tensor(DType.FLOAT32, List.of(2L, 3L))),
                    new Field("mask", new FieldType.Array(DType.UINT16, 2))),
            List.of("cat", "dog"));
    private static final Schema NUMBERS =
            new Schema(List.of(new Field(Field.DATA, new FieldType.Tensor(DType.FLOAT32, List.of(2L, 3L)))), List.of());

    /** Every format that Stoker writes, plain and in each way of compressing. */
    public static List<Variant> all() {
        var all = new ArrayList<Variant>();
        for (Format format : Formats.all()) {
            all.add(new Variant(format.name(), format.name().equals("lmdb") ? Map.of("layout", "file") : Map.of()));
        }
        for (String codec : List.of("zstd", "lz4", "zlib")) {
            all.add(compressed("stk", codec));
        }
        for (String codec : List.of("zstd", "lz4")) {
            all.add(compressed("arrow", codec));
        }
        for (String codec : List.of("zstd", "snappy", "lz4_raw")) {
            all.add(compressed("parquet", codec));
        }
        if (isInstalled("mksquashfs")) {
            for (String codec : List.of("gzip", "zstd", "lz4", "xz")) {
                all.add(new Variant("squashfs", Map.of("compression", codec)));
            }
        }
        all.add(new Variant("hdf5", Map.of("layout", "csr")));
        all.add(new Variant("arrow", Map.of("rows-per-batch", "1")));
        return all;
    }

    /** A small container of each variant of a format. */
    static List<byte[]> files(String format) {
        Path folder = Sandbox.make(format);
        var files = new ArrayList<byte[]>();
        for (Variant variant : all()) {
            if (variant.format().equals(format)) {
                files.add(Workshop.read(variant.workshop(folder, 1).pack(variant.samples(FEW, 1), variant.label())));
            }
        }
        return files;
    }

    private static boolean isInstalled(String program) {
        return Arrays.stream(System.getenv("PATH").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    private static Variant compressed(String format, String codec) {
        return new Variant(format, Map.of("compression", codec, "block", "8k"));
    }

    public String label() {
        return settings.containsKey("compression")
                ? format + "-" + settings.get("compression")
                : settings.isEmpty() || format.equals("lmdb")
                        ? format
                        : format + "-" + settings.values().iterator().next();
    }

    /** Random samples of every type that the format holds, always the same. */
    public MemorySamples samples(int count, long seed) {
        Schema schema = format.equals("npy") || format.equals("npz") ? NUMBERS : ALL_TYPES;
        return workshop(Path.of("."), seed).randomSamples().next(schema, count);
    }

    public Workshop workshop(Path folder, long seed) {
        return new Workshop(
                Formats.named(format), new FormatOptions(Map.of(), settings), folder, new SplittableRandom(seed));
    }
}
