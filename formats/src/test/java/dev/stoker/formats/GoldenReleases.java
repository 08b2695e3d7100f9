package dev.stoker.formats;

import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Capability;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.json.Json;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Same;
import dev.stoker.testkit.Workshop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Makes the golden files of a release: one small container of each format that it writes, with its sidecar, and {@code
 * expected.json}, which has the values in hexadecimal digits. Run once for each release, with the folder {@code
 * formats/src/test/resources/golden/VERSION}; what was made is never made again.
 */
final class GoldenReleases {
    static final String EXPECTED = "expected.json";

    private GoldenReleases() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectory(Path.of(arguments[0]));
        var containers = new ArrayList<Map<String, Object>>();
        for (Format format : Formats.all()) {
            if (format.can(Capability.WRITE)) {
                containers.add(make(format, FormatOptions.NONE, "plain", folder));
            }
            if (format.settings().contains("compression") && !format.name().equals("squashfs")) {
                var zstd = new FormatOptions(Map.of(), Map.of("compression", "zstd"));
                containers.add(make(format, zstd, "zstd", folder));
            }
        }
        Files.writeString(folder.resolve(EXPECTED), Json.writePretty(Map.of("containers", containers)) + "\n");
    }

    private static Map<String, Object> make(Format format, FormatOptions options, String name, Path folder)
            throws IOException {
        MemorySamples samples = samples(format);
        var shop = new Workshop(format, options, folder, new SplittableRandom(0));
        Path place = shop.pack(samples, format.name() + "-" + name);
        var container = new LinkedHashMap<String, Object>();
        container.put("file", folder.relativize(place).toString());
        container.put("format", format.name());
        container.put("fields", fields(samples));
        container.put("fields_without_sidecar", heldAlone(shop, place));
        return container;
    }

    /** Arrays alone where the format holds nothing else. */
    private static MemorySamples samples(Format format) {
        if (format.name().startsWith("np")) {
            var box = new Field(Field.DATA, new FieldType.Tensor(DType.UINT16, List.of(2L, 3L)));
            return MemorySamples.of(box)
                    .add(counted(12))
                    .add(new byte[12])
                    .add(counted(12))
                    .build();
        }
        var schema = new Schema(
                List.of(
                        new Field(Field.KEY, new FieldType.Text()),
                        new Field(Field.DATA, new FieldType.Bytes()),
                        new Field(Field.LABEL, new FieldType.Scalar(DType.INT64))),
                List.of("cat", "dog"));
        return MemorySamples.of(schema)
                .add("cat/1.jpg", counted(300), 0L)
                .add("cat/2.jpg", new byte[0], 0L)
                .add("dog/3.jpg", counted(40), 1L)
                .build();
    }

    private static byte[] counted(int length) {
        var bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 7);
        }
        return bytes;
    }

    /** The values of each field, by its name and type. */
    static Map<String, Object> fields(Samples samples) {
        var fields = new LinkedHashMap<String, Object>();
        for (int f = 0; f < samples.schema().size(); f++) {
            var values = new ArrayList<String>();
            for (long i = 0; i < samples.count(); i++) {
                values.add(HexFormat.of().formatHex(Same.bytes(samples, i, f)));
            }
            Field field = samples.schema().fields().get(f);
            fields.put(field.name() + " " + field.type().label(), values);
        }
        return fields;
    }

    /** What is read when the sidecar is lost. */
    private static Map<String, Object> heldAlone(Workshop shop, Path place) throws IOException {
        Path sidecar = Sidecar.beside(Formats.fileOf(place));
        Path aside = sidecar.resolveSibling("aside");
        boolean hasSidecar = Files.exists(sidecar);
        if (hasSidecar) {
            Files.move(sidecar, aside);
        }
        try (Container container = shop.open(place)) {
            return fields(container);
        } finally {
            if (hasSidecar) {
                Files.deleteIfExists(sidecar);
                Files.move(aside, sidecar);
            }
        }
    }
}
