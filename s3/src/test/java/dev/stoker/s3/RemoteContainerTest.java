package dev.stoker.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.dataset.Dataset;
import dev.stoker.feed.Batch;
import dev.stoker.feed.Feed;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.StkFormat;
import dev.stoker.format.TreeFields;
import dev.stoker.listing.BadFilePolicy;
import dev.stoker.listing.FolderSource;
import dev.stoker.os.AvailableCores;
import dev.stoker.remote.RemoteException;
import dev.stoker.sample.Samples;
import dev.stoker.testkit.RandomSamples;
import dev.stoker.testkit.Same;
import dev.stoker.testkit.Seed;
import dev.stoker.verify.Verifier;
import dev.stoker.write.Packer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Containers that are read from S3 by ranges give what they give from a disk. */
class RemoteContainerTest {
    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    Path folder;

    private final FakeS3 s3 = new FakeS3();

    @AfterEach
    void end() {
        s3.close();
    }

    private Path pack(Samples samples, Map<String, String> settings) {
        Path file = folder.resolve("x.stk");
        var how = new Packer.Settings(new FormatOptions(Map.of(), settings), 2, false, true, false);
        new Packer(samples, new StkFormat(), file, how, new Progress()).run();
        return file;
    }

    private void store(Path file) {
        try {
            s3.objects.put("x.stk", Files.readAllBytes(file));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void everyValueIsTheSame() {
        RandomGenerator random = seed.random();
        for (String codec : new String[] {"", "zlib"}) {
            for (int round = 0; round < 10; round++) {
                Samples samples = new RandomSamples(new StkFormat(), random).next(random.nextInt(60));
                store(pack(samples, codec.isEmpty() ? Map.of() : Map.of("compression", codec)));
                try (Container remote = Container.open(s3.path("x.stk"));
                        Container local = Container.open(folder.resolve("x.stk"))) {
                    Same.assertSame(remote, local);
                    assertThat(Verifier.verify(remote, 2, new Progress()).isIntact())
                            .isTrue();
                    remote.index().verify();
                }
            }
        }
    }

    /** Small values one behind the other are fetched together. */
    @Test
    void whatIsReadInOrderTakesFewRequests() throws IOException {
        Path files = folder.resolve("files");
        Files.createDirectory(files);
        for (int i = 0; i < 400; i++) {
            Files.write(files.resolve("%04d".formatted(i)), random(10_000, i));
        }
        try (Samples samples = FolderSource.list(files, false, AvailableCores.allocated())) {
            store(pack(samples, Map.of()));
        }
        try (Container remote = Container.open(s3.path("x.stk"))) {
            s3.requests.clear();
            for (int i = 0; i < 400; i++) {
                assertThat(remote.value(i, 1).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(random(10_000, i));
            }
            assertThat(s3.requests.size()).isLessThan(30);
            s3.requests.clear();
            remote.value(7, 1);
        }
        try (Dataset data = Dataset.open(s3.path("x.stk"));
                Feed feed = Feed.of(data).batch(16).shuffle(3).start()) {
            int count = 0;
            for (Batch batch : feed) {
                count += batch.size();
            }
            assertThat(count).isEqualTo(400);
        }
    }

    private static byte[] random(int length, int seed) {
        var bytes = new byte[length];
        new java.util.SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    @Test
    void oneValueIsOneRequest() {
        RandomGenerator random = seed.random();
        Samples samples = new RandomSamples(new StkFormat(), random)
                .next(
                        new dev.stoker.sample.Schema(java.util.List.of(
                                new dev.stoker.sample.Field("data", new dev.stoker.sample.FieldType.Bytes()))),
                        20);
        store(pack(samples, Map.of()));
        try (Container remote = Container.open(s3.path("x.stk"))) {
            s3.requests.clear();
            remote.value(3, 0);
            assertThat(s3.requests.size()).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void anObjectThatIsReplacedIsNoticedAndNotSkipped() throws IOException {
        byte[] bytes = {1, 2, 3, 4, 5, 6, 7, 8};
        Path files = Files.createDirectory(folder.resolve("files"));
        Files.write(files.resolve("a"), bytes);
        try (Samples samples = FolderSource.list(files, false, 1)) {
            store(pack(samples, Map.of()));
        }
        try (Container remote = Container.open(s3.path("x.stk"))) {
            byte[] other = s3.objects.get("x.stk").clone();
            other[other.length - 1]++;
            s3.objects.put("x.stk", other);
            assertThatThrownBy(() -> remote.value(0, 1))
                    .isInstanceOf(RemoteException.class)
                    .hasMessageContaining("changed while it was read");
        }
    }

    @Test
    void aPrefixIsAFolder() throws IOException {
        Path files = folder.resolve("files");
        for (String name : new String[] {"cat/a.txt", "cat/A.txt", "dog/b c.txt", "dog/ü.txt"}) {
            byte[] bytes = random(2_500_000, name.hashCode());
            Files.createDirectories(files.resolve(name).getParent());
            Files.write(files.resolve(name), bytes);
            s3.objects.put("p/" + name, bytes);
        }
        s3.objects.put("p/dog/", new byte[0]);
        s3.objects.put("pp/dog/no.txt", new byte[1]);
        try (Samples remote = FolderSource.list(s3.path("p"), true, 4, BadFilePolicy.refused());
                Samples local = FolderSource.list(files, true, 4, BadFilePolicy.refused());
                var arena = Arena.ofConfined()) {
            assertThat(remote.schema()).isEqualTo(local.schema());
            assertThat(remote.count()).isEqualTo(local.count());
            for (int i = 0; i < local.count(); i++) {
                for (int f = 0; f < local.schema().size(); f++) {
                    assertThat(read(remote, i, f)).as(local.describe(i)).isEqualTo(read(local, i, f));
                }
            }
            s3.objects.put("p/cat/a.txt", random(2_500_000, 1));
            MemorySegment to = arena.allocate(2_500_000);
            assertThatThrownBy(() -> remote.read(1, 1, 0, to))
                    .hasMessageStartingWith("[s3://b/p/cat/a.txt] changed while it was read");
        }
    }

    /** As the packer reads: a large value in parts, into memory outside the heap. */
    private static byte[] read(Samples samples, long sample, int field) {
        try (var arena = Arena.ofConfined()) {
            MemorySegment all = arena.allocate(samples.length(sample, field));
            for (long from = 0; from < all.byteSize(); from += 1 << 20) {
                samples.read(sample, field, from, all.asSlice(from, Math.min(1 << 20, all.byteSize() - from)));
            }
            return all.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    @Test
    void keysThatAreNoFilesOfOneFolderAreRefusedThere() {
        for (String key : new String[] {"x/../z", "x//z", "x/a/b"}) {
            s3.objects.clear();
            s3.objects.put("x/a", new byte[1]);
            s3.objects.put(key, new byte[1]);
            try (Samples samples = FolderSource.files(s3.path("x"), 2)) {
                assertThat(samples.count()).isEqualTo(2);
                assertThatThrownBy(() -> TreeFields.require("folder", samples, FormatOptions.NONE))
                        .as(key)
                        .isInstanceOf(dev.stoker.StokerException.class)
                        .hasMessageContaining("'" + key.substring(2) + "'");
            }
        }
    }

    @Test
    void otherFormatsNeedTheirIndexBeside() {
        s3.objects.put("x.stk", "no container".getBytes());
        assertThatThrownBy(() -> Container.open(s3.path("x.stk")))
                .hasMessageStartingWith("[s3://b/x.stk] is in no format that Stoker knows");
    }
}
