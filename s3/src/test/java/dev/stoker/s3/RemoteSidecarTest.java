package dev.stoker.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.concurrent.Progress;
import dev.stoker.container.Container;
import dev.stoker.container.Sidecar;
import dev.stoker.dataset.Dataset;
import dev.stoker.feed.Batch;
import dev.stoker.feed.Feed;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.listing.FolderSource;
import dev.stoker.sample.Samples;
import dev.stoker.testkit.Same;
import dev.stoker.verify.Verifier;
import dev.stoker.write.Packer;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Containers of other formats, whose Index is an object beside them, give from S3 what they give from a disk. */
class RemoteSidecarTest {
    private static final int SAMPLES = 60;
    /** The sample that the middle of a container lies in, out of reach of the hash of its head and tail. */
    private static final int LARGE = 30;

    private static final int LARGE_BYTES = 600_000;

    @TempDir
    Path folder;

    private final FakeS3 s3 = new FakeS3();

    @AfterEach
    void end() {
        s3.close();
    }

    @BeforeEach
    void files() throws IOException {
        var random = new SplittableRandom(7);
        for (int i = 0; i < SAMPLES; i++) {
            var bytes = new byte[i == LARGE ? LARGE_BYTES : random.nextInt(3000)];
            random.nextBytes(bytes);
            Path file = folder.resolve("files/" + (i % 3) + "/%03d.bin".formatted(i));
            Files.createDirectories(file.getParent());
            Files.write(file, bytes);
        }
    }

    /** Packs the files and stores the container with its sidecar, each under a key below a prefix and at the bucket's top. */
    private Path pack(String name) throws IOException {
        Path file = folder.resolve(name);
        try (Samples samples = FolderSource.list(folder.resolve("files"), true, 2)) {
            var how = new Packer.Settings(FormatOptions.NONE, 2, false, true, false);
            new Packer(samples, Formats.forOutput(file), file, how, new Progress()).run();
        }
        for (String key : new String[] {name, "deep/er/" + name}) {
            s3.objects.put(key, Files.readAllBytes(file));
            s3.objects.put(key + Sidecar.ENDING, Files.readAllBytes(Sidecar.beside(file)));
        }
        return file;
    }

    @ParameterizedTest
    @ValueSource(strings = {"x.arrow", "x.tar", "x.h5", "x.parquet", "x.zip", "x.tfrecord", "x.squashfs"})
    void isOpenedVerifiedAndFed(String name) throws IOException {
        Path file = pack(name);
        for (String key : new String[] {name, "deep/er/" + name}) {
            try (Container remote = Container.open(s3.path(key));
                    Container local = Container.open(file)) {
                Same.assertSame(remote, local);
                assertThat(remote.schema()).isEqualTo(local.schema());
                assertThat(Verifier.verify(remote, 2, new Progress()).isIntact())
                        .isTrue();
            }
            assertThat(fed(s3.path(key))).isEqualTo(fed(file));
        }
    }

    private static String fed(Path path) {
        var told = new StringBuilder();
        try (Dataset data = Dataset.open(path);
                Feed feed = Feed.of(data).batch(7).shuffle(3).verify(true).start()) {
            for (Batch batch : feed) {
                for (int i = 0; i < batch.size(); i++) {
                    told.append(batch.sample(i)).append(' ');
                    for (int f = 0; f < batch.schema().size(); f++) {
                        told.append(Arrays.toString(batch.value(i, f).toArray(ValueLayout.JAVA_BYTE)));
                    }
                }
            }
        }
        return told.toString();
    }

    /** The sidecar is what knows of damage, so it must have been the sidecar that was read. */
    @ParameterizedTest
    @ValueSource(strings = {"x.arrow", "x.tar", "x.h5", "x.parquet", "x.zip"})
    void damageIsFoundByTheSidecar(String name) throws IOException {
        pack(name);
        byte[] bytes = s3.objects.get(name);
        bytes[bytes.length / 2] ^= 1;
        try (Container remote = Container.open(s3.path(name))) {
            assertThat(Verifier.verify(remote, 2, new Progress()).isIntact()).isFalse();
        }
        s3.objects.remove(name + Sidecar.ENDING);
        assertThatThrownBy(() -> Container.open(s3.path(name)))
                .hasMessageContaining("has no Index beside it (" + name + Sidecar.ENDING);
    }
}
