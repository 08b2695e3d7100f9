package dev.stoker.formats.tar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.format.FormatOptions;
import dev.stoker.index.Column;
import dev.stoker.index.Placement;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.testkit.MemorySamples;
import dev.stoker.testkit.RandomSamples;
import dev.stoker.testkit.Same;
import dev.stoker.testkit.Seed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class TarWritingTest {
    private static final Field KEY = new Field(Field.KEY, new FieldType.Text());
    private static final Field DATA = new Field(Field.DATA, new FieldType.Bytes());
    private static final Field LABEL = new Field(Field.LABEL, new FieldType.Scalar(DType.INT64));

    @RegisterExtension
    final Seed seed = new Seed();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @Test
    void theDerivedIndexIsThePlannedOne() throws Exception {
        var random = new RandomSamples(new TarFormat(), seed.random());
        for (int round = 0; round < 20; round++) {
            MemorySamples samples = random.next(20);
            Path archive = Archives.pack(samples, folder.resolve("x.tar"));
            try (Container planned = Container.open(archive);
                    Container derived = Archives.openAnew(archive)) {
                assertThat(planned.index().isPacked()).isTrue();
                assertThat(derived.index().isPacked()).isFalse();
                Same.assertSame(derived, planned);
                for (int f = 0; f < samples.schema().size(); f++) {
                    assertThat(derived.index().placement(f).place())
                            .isEqualTo(planned.index().placement(f).place());
                    if (planned.index().placement(f).place() == Placement.Place.FILE) {
                        assertSamePlaces(derived.column(f), planned.column(f), samples.count());
                    }
                }
            }
        }
    }

    private static void assertSamePlaces(Column derived, Column planned, long count) {
        for (long i = 0; i < count; i++) {
            assertThat(derived.offset(i)).isEqualTo(planned.offset(i));
            assertThat(derived.length(i)).isEqualTo(planned.length(i));
        }
    }

    private void assertRefused(MemorySamples.Builder samples, String... reasons) {
        var refused = assertThatThrownBy(() -> Archives.pack(samples.build(), folder.resolve("x.tar")))
                .isInstanceOf(StokerException.class);
        for (String reason : reasons) {
            refused.hasMessageContaining(reason);
        }
        assertThat(folder.resolve("x.tar")).doesNotExist();
    }

    @Test
    void namesThatNoArchiveShouldHaveAreRefused() {
        for (String key : new String[] {"", "/a", "a/", "..", "../a", "a/../b", "a/..", "a\0b"}) {
            assertRefused(MemorySamples.of(KEY, DATA).add(key, new byte[1]), "cannot hold the key '" + key + "'");
        }
        assertRefused(MemorySamples.of(KEY, DATA).add("n".repeat(70_000), new byte[1]), "70000 bytes");
    }

    @Test
    void samplesThatWebdatasetWouldMixUpAreRefused() throws Exception {
        assertRefused(
                MemorySamples.of(KEY, DATA, LABEL)
                        .add("x/a.jpg", new byte[1], 0)
                        .add("x/a.png", new byte[1], 1),
                "'x/a.jpg'",
                "'x/a.png'");
        assertRefused(MemorySamples.of(KEY, DATA, LABEL).add("a.CLS", new byte[1], 0), "'a.CLS'");
        MemorySamples alone = MemorySamples.of(KEY, DATA)
                .add("a.jpg", new byte[1])
                .add("a.png", new byte[2])
                .build();
        Path archive = Archives.pack(alone, folder.resolve("alone.tar"));
        try (Container container = Archives.openAnew(archive)) {
            Same.assertSame(container, alone);
        }
    }

    @Test
    void fieldsThatNeedTheSameNameAreRefused() {
        assertRefused(MemorySamples.of(KEY, DATA, LABEL, new Field("cls", new FieldType.Bytes())), "extension 'cls'");
        assertRefused(MemorySamples.of(KEY, new Field("a/b", new FieldType.Bytes())), "'a/b'");
        var options = new FormatOptions(Map.of(Field.DATA, "image"), Map.of());
        assertThatThrownBy(
                        () -> new TarFormat().plan(MemorySamples.of(KEY, DATA).build(), options))
                .isInstanceOf(StokerException.class)
                .hasMessageContaining("data=image");
    }

    @Test
    void anArchiveThatWasChangedIsNotMisread() throws Exception {
        MemorySamples samples = MemorySamples.of(KEY, DATA, LABEL)
                .add("a.jpg", new byte[1], 0)
                .add("b.jpg", new byte[1], 1)
                .build();
        Path archive = Archives.pack(samples, folder.resolve("x.tar"));
        Files.createFile(folder.resolve("c.jpg"));
        Archives.run(folder, "tar", "-rf", archive.toString(), "c.jpg");
        assertThatThrownBy(() -> Archives.openAnew(archive))
                .isInstanceOf(CorruptContainerException.class)
                .hasMessageContaining("2 samples of 2 members each, but it has 5");
    }

    @Test
    void nothingFromClockOrHostGetsIn() throws Exception {
        MemorySamples samples =
                MemorySamples.of(KEY, DATA).add("ж.jpg", new byte[] {1}).build();
        byte[] first = Files.readAllBytes(Archives.pack(samples, folder.resolve("first.tar")));
        byte[] second = Files.readAllBytes(Archives.pack(samples, folder.resolve("second.tar")));
        assertThat(second).isEqualTo(first);
    }
}
