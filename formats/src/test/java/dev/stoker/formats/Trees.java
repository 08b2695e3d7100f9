package dev.stoker.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.io.Checksum;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Same;
import dev.stoker.write.Packer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What the tests of formats that hold exactly the source tree share. */
public final class Trees {
    private static final int SECONDS = 120;

    private Trees() {}

    /** Files with all sorts of names and lengths: empty, short, and around and beyond the usual blocks. */
    public static SortedMap<String, String> usual() {
        var files = new TreeMap<String, String>();
        String[] names = {
            "a.jpg", "b/ж数.jpg", "b/with space.jpg", "b/new\nline.jpg", "c/no extension", "d/" + "p/".repeat(90) + "q"
        };
        for (String name : names) {
            files.put(name, "content of " + name);
        }
        for (int length : new int[] {0, 1, 4096, 131_071, 131_072, 131_073, 1 << 20, (3 << 20) + 7}) {
            files.put(
                    "by length/" + length,
                    "x%dy".formatted(length).repeat(length).substring(0, length));
        }
        return files;
    }

    /** Files by their contents, in the order of the map. */
    public static MemorySamples samples(Map<String, String> files) {
        var samples = MemorySamples.of(
                new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes()));
        files.forEach((name, content) -> samples.add(name, content.getBytes(StandardCharsets.UTF_8)));
        return samples.build();
    }

    public static Path pack(Format format, Samples samples, Path place) {
        var settings = new Packer.Settings(FormatOptions.NONE, 2, false, true, false);
        new Packer(samples, format, place, settings, new Progress()).run();
        return place;
    }

    /** Opens a container as if nobody had opened it before. */
    public static Container openAnew(Path place) throws IOException {
        Files.deleteIfExists(Sidecar.beside(place));
        return Container.open(place);
    }

    /** What a test compares: the content, or its length and checksum where a person would not read it. */
    public static String shown(byte[] content) {
        return content.length < 300
                ? new String(content, StandardCharsets.UTF_8)
                : content.length + " bytes, CRC32C " + Checksum.of(MemorySegment.ofArray(content));
    }

    /** The same of files. */
    public static SortedMap<String, String> shown(Map<String, String> files) {
        var shown = new TreeMap<String, String>();
        files.forEach((name, content) -> shown.put(name, shown(content.getBytes(StandardCharsets.UTF_8))));
        return shown;
    }

    /** Key to {@linkplain #shown data} of all samples. */
    public static SortedMap<String, String> contents(Container container) {
        int key = container.schema().place(Field.KEY);
        int data = container.schema().place(Field.DATA);
        var contents = new TreeMap<String, String>();
        for (long i = 0; i < container.count(); i++) {
            contents.put(container.text(i, key), shown(Same.bytes(container, i, data)));
        }
        return contents;
    }

    /** The files below a folder, as {@link #shown}. */
    public static SortedMap<String, String> read(Path folder) throws IOException {
        var files = new TreeMap<String, String>();
        try (Stream<Path> below = Files.walk(folder)) {
            for (Path file : below.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString(), shown(Files.readAllBytes(file)));
            }
        }
        return files;
    }

    public static Path write(Path folder, Map<String, String> files) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
        return folder;
    }

    /** Skips the test, with a reason, where a program is not installed. */
    public static void require(String program) {
        boolean there = Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
        assumeTrue(there, program + " is not installed");
    }

    /** Runs a program that has to succeed; returns what it printed. Skips the test where it is not installed. */
    public static String run(Path folder, String... command) throws IOException, InterruptedException {
        require(command[0]);
        Path out = Files.createTempFile("stoker-run", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of(command)))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile());
            builder.environment().put("LC_ALL", "C.UTF-8");
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            String said = new String(Files.readAllBytes(out), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as("%s says: %s", command[0], said).isZero();
            return said;
        } finally {
            Files.delete(out);
        }
    }
}
