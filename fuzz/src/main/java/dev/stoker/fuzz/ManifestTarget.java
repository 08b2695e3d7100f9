package dev.stoker.fuzz;

import dev.stoker.listing.BadFilePolicy;
import dev.stoker.manifest.ManifestSource;
import dev.stoker.sample.Samples;
import dev.stoker.testkit.Workshop;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** A manifest of a folder with a few files. The first byte of an input says how the manifest's name ends. */
final class ManifestTarget implements Target {
    private static final String[] ENDINGS = {"json", "jsonl", "csv", "tsv", "psv", "txt"};

    private final Path folder = Sandbox.make("manifest");

    ManifestTarget() {
        for (String name : List.of("a", "b", "ä.npy")) {
            Workshop.write(folder.resolve(name), new byte[] {1, 2, 3});
        }
    }

    @Override
    public String name() {
        return "manifest";
    }

    @Override
    public void read(byte[] input) {
        if (input.length == 0) {
            return;
        }
        Path manifest = folder.resolve(FILE + "." + ENDINGS[(input[0] & 0xff) % ENDINGS.length]);
        Workshop.write(manifest, Arrays.copyOfRange(input, 1, input.length));
        try (Samples samples = ManifestSource.list(folder, manifest, 1, BadFilePolicy.skipped())) {
            for (int f = 0; f < samples.schema().size(); f++) {
                for (long i = 0; i < Math.min(4, samples.count()); i++) {
                    samples.length(i, f);
                }
            }
        }
    }

    @Override
    public List<byte[]> made() {
        return List.of(
                seed(0, "{\"a\": 1, \"b\": 2}"),
                seed(0, "{\"a\": [\"one\", \"two\"], \"b\": [\"three\"]}"),
                seed(
                        1,
                        "{\"path\": \"a\", \"label\": \"x\", \"n\": 1.5}\n{\"path\": \"b\", \"label\": null, \"n\": 2}\n"),
                seed(1, "{\"file\": \"a\", \"t\": [\"x\"], \"b\": true}\n{\"file\": \"a\", \"t\": [], \"b\": false}\n"),
                seed(2, "path,label,weight,words\na,cat,1,\"x, y\"\nb,dog,2.5,\na,cat,3,z\n"),
                seed(3, "a\tlabel\nb\t1\na\t2\n"),
                seed(4, "image|comment\na|one\na|two\nb|three\n"),
                seed(5, "a,1\nb,2\n"));
    }

    private static byte[] seed(int ending, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] input = new byte[1 + bytes.length];
        input[0] = (byte) ending;
        System.arraycopy(bytes, 0, input, 1, bytes.length);
        return input;
    }

    @Override
    public List<String> words() {
        return List.of(
                ",",
                "\"",
                "\"\"",
                "\n",
                "\r\n",
                "\t",
                "|",
                "{",
                "}",
                "[",
                "]",
                ":",
                "null",
                "true",
                "nan",
                "inf",
                "-1",
                "\0",
                "..",
                "/",
                "label",
                "key",
                "data",
                "path",
                "1e400",
                "9223372036854775808",
                "['x', 'y']");
    }
}
