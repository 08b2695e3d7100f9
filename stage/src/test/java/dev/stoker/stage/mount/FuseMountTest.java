package dev.stoker.stage.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.os.FilesystemSpace;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.stage.MountTable;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.Seed;
import dev.stoker.testkit.Workshop;
import dev.stoker.write.Packer;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A mounted container, seen as any program sees it. */
class FuseMountTest {
    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path temp;

    private Path point;
    private Thread server;
    private final ConcurrentLinkedQueue<String> complaints = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void requireFuse() throws IOException {
        String refusal = MountTable.refusal();
        assumeTrue(refusal == null, refusal);
        point = Files.createDirectory(temp.resolve("a b"));
    }

    @AfterEach
    void unmount() throws InterruptedException {
        if (server != null) {
            MountTable.unmount(point);
            server.join();
        }
    }

    private void mount(Path packed) throws InterruptedException {
        server = Thread.ofPlatform().start(() -> {
            try (Container container = Container.open(packed)) {
                FuseMount.serve(container, point, 4, complaints::add);
            }
        });
        while (!MountTable.isMounted(point) || !MountTable.isAlive(point)) {
            assertThat(server.join(java.time.Duration.ofMillis(10)))
                    .as("the server has ended")
                    .isFalse();
        }
    }

    @Test
    void aPathWithLinksIsFoundAmongTheMounts() throws Exception {
        mount(pack(samples(3, seed.random()), "x.stk", FormatOptions.NONE));
        Path above = Files.createSymbolicLink(temp.resolve("above"), temp).resolve("a b");
        Path itself = Files.createSymbolicLink(temp.resolve("itself"), point);
        for (Path link : new Path[] {above, itself}) {
            assertThat(MountTable.isMounted(link)).as(link.toString()).isTrue();
            assertThatThrownBy(() -> MountTable.prepare(link)).hasMessageContaining("is busy");
        }
        MountTable.unmount(above);
        assertThat(MountTable.isMounted(point)).isFalse();
    }

    private static MemorySamples samples(int count, RandomGenerator random) {
        var builder = MemorySamples.of(
                new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes()));
        for (int i = 0; i < count; i++) {
            var bytes = new byte[i % 50 == 49 ? 3_000_000 : random.nextInt(10_000)];
            random.nextBytes(bytes);
            builder.add("d" + i % 7 + "/e ü" + i % 3 + "/" + i + ".bin", bytes);
        }
        builder.add("top", new byte[0]);
        return builder.build();
    }

    private Path pack(MemorySamples samples, String name, FormatOptions options) {
        Path packed = temp.resolve(name);
        var settings = new Packer.Settings(options, 2, false, true, false);
        new Packer(samples, Formats.forOutput(packed), packed, settings, new Progress()).run();
        return packed;
    }

    @ParameterizedTest
    @ValueSource(strings = {"x.stk", "x.arrow", "x.h5", "x.zip"})
    void everyFileHasItsNameAndBytes(String name) throws Exception {
        MemorySamples samples = samples(300, seed.random());
        mount(pack(samples, name, FormatOptions.NONE));
        var keys = new TreeSet<String>();
        for (int i = 0; i < samples.count(); i++) {
            String key = samples.describe(i);
            keys.add(key);
            assertThat(point.resolve(key)).as(key).hasBinaryContent(samples.bytes(i, 1));
        }
        Set<String> found;
        try (Stream<Path> walk = Files.walk(point)) {
            found = walk.filter(Files::isRegularFile)
                    .map(path -> point.relativize(path).toString())
                    .collect(Collectors.toCollection(TreeSet::new));
        }
        assertThat(found).isEqualTo(keys);
        assertThat(complaints).isEmpty();
    }

    @Test
    void randomReadsAndMapsByManyThreadsAreRight() throws Exception {
        MemorySamples samples = samples(100, seed.random());
        mount(pack(samples, "x.arrow", FormatOptions.NONE));
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(_ -> Thread.ofPlatform().start(() -> {
                    RandomGenerator random = RandomGenerator.getDefault();
                    for (int i = 0; i < 200; i++) {
                        readSomewhere(samples, random.nextInt(100), random);
                    }
                }))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(complaints).isEmpty();
        try (var channel = FileChannel.open(point.resolve(samples.describe(49)));
                var arena = java.lang.foreign.Arena.ofConfined()) {
            var mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
            assertThat(mapped.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE)).isEqualTo(samples.bytes(49, 1));
        }
    }

    private void readSomewhere(MemorySamples samples, int sample, RandomGenerator random) {
        byte[] expected = samples.bytes(sample, 1);
        try (var file =
                new RandomAccessFile(point.resolve(samples.describe(sample)).toFile(), "r")) {
            int from = expected.length == 0 ? 0 : random.nextInt(expected.length);
            var part = new byte[Math.min(expected.length - from, 5000)];
            file.seek(from);
            file.readFully(part);
            if (!java.util.Arrays.equals(expected, from, from + part.length, part, 0, part.length)) {
                complaints.add("sample " + sample + " differs from byte " + from);
            }
        } catch (IOException e) {
            complaints.add(e.toString());
        }
    }

    @Test
    void nothingCanBeWrittenAndWhatIsMissingIsMissing() throws Exception {
        mount(pack(samples(10, seed.random()), "x.stk", FormatOptions.NONE));
        assertThat(point.resolve("nothing")).doesNotExist();
        assertThat(point.resolve("d0/nothing")).doesNotExist();
        assertThatThrownBy(() -> Files.writeString(point.resolve("top"), "x")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> Files.createFile(point.resolve("new"))).isInstanceOf(IOException.class);
        assertThat(FilesystemSpace.of(point).blockBytes()).isPositive();
        assertThatThrownBy(() -> MountTable.prepare(point)).hasMessageContaining("is busy");
    }

    @Test
    void aDamagedFileCannotBeRead() throws Exception {
        MemorySamples samples = samples(10, seed.random());
        Path packed = pack(samples, "x.stk", FormatOptions.NONE);
        byte[] bytes = Workshop.read(packed);
        byte[] value = samples.bytes(3, 1);
        int at = indexOf(bytes, value);
        bytes[at + value.length / 2]++;
        Workshop.write(packed, bytes);
        mount(packed);
        assertThatThrownBy(() -> Files.readAllBytes(point.resolve(samples.describe(3))))
                .hasMessageContaining("Input/output error");
        assertThat(point.resolve(samples.describe(4))).hasBinaryContent(samples.bytes(4, 1));
        assertThat(complaints).singleElement().asString().contains("3.bin: the checksum does not match");
    }

    private static int indexOf(byte[] bytes, byte[] value) {
        String all = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
        return all.indexOf(new String(value, java.nio.charset.StandardCharsets.ISO_8859_1));
    }

    @Test
    void folderOfManyFilesIsListedWhole() throws Exception {
        var builder = MemorySamples.of(
                new Field(Field.KEY, new FieldType.Text()), new Field(Field.DATA, new FieldType.Bytes()));
        for (int i = 0; i < 5000; i++) {
            builder.add("all/" + "long".repeat(i % 50) + i, new byte[] {(byte) i});
        }
        mount(pack(builder.build(), "x.stk", FormatOptions.NONE));
        try (Stream<Path> entries = Files.list(point.resolve("all"))) {
            assertThat(entries.map(path -> path.getFileName().toString())
                            .distinct()
                            .count())
                    .isEqualTo(5000);
        }
    }
}
