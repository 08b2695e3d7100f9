package dev.stoker.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stoker.feed.Batch;
import dev.stoker.feed.Feed;
import dev.stoker.feed.InMemory;
import dev.stoker.feed.RandomSamples;
import dev.stoker.feed.ReadMode;
import dev.stoker.order.RangeSet;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DatasetTest {
    @TempDir(factory = InMemory.class)
    private Path folder;

    @Test
    void manyFilesAreOneNumbering() {
        for (int i = 0; i < 12; i++) {
            RandomSamples.pack(folder.resolve("part-%03d.stk".formatted(i)), i, i, 100);
        }
        for (String pattern : List.of("part-{000..011}.stk", "part-*.stk", "part-0{0,1}?.stk")) {
            try (var data = Dataset.open(List.of(folder + "/" + pattern))) {
                assertThat(data.files()).isEqualTo(12);
                assertThat(data.count()).isEqualTo(66);
                assertThat(data.key(65)).isEqualTo("sample-10.bin");
                assertThat(data.describe(0)).endsWith("part-001.stk] sample 0 (sample-0.bin)");
                assertThat(data.find(Set.of("sample-10.bin"))).isEqualTo(RangeSet.of(65));
                assertThatThrownBy(() -> data.find(Set.of("x"))).hasMessageContaining("no sample has the key x");
            }
        }
    }

    @Test
    void moreFilesThanMayBeOpen() {
        var paths = new ArrayList<Path>();
        for (int i = 0; i < 60; i++) {
            paths.add(RandomSamples.pack(folder.resolve(i + ".stk"), i, 3, 50));
        }
        try (var data = Dataset.open(paths, 5);
                var feed = Feed.of(data)
                        .batch(20)
                        .shuffle(1)
                        .read(ReadMode.PREAD)
                        .epochs(3)
                        .start()) {
            int count = 0;
            for (Batch batch : feed) {
                for (int i = 0; i < batch.size(); i++, count++) {
                    long sample = batch.sample(i);
                    assertThat(batch.value(i, 1).toArray(ValueLayout.JAVA_BYTE))
                            .isEqualTo(new RandomSamples(sample / 3, 3, 50).value(sample % 3, 1));
                }
            }
            assertThat(count).isEqualTo(540);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ReadMode.class,
            names = {"MAP", "PREAD", "DIRECT"})
    void tenThousandShardsAreNotAllOpen(ReadMode mode) throws IOException {
        var samples = new RandomSamples(1, 2, 50);
        Path one = RandomSamples.pack(folder.resolve("one.stk"), 1, 2, 50);
        var paths = new ArrayList<Path>();
        for (int i = 0; i < 10_000; i++) {
            paths.add(Files.createLink(folder.resolve("shard-%05d.stk".formatted(i)), one));
        }
        long handles = handles();
        // A batch has samples of about 1,800 files.
        try (var data = Dataset.open(paths.toArray(Path[]::new));
                var feed = Feed.of(data)
                        .batch(2000)
                        .shuffle(1)
                        .read(mode)
                        .stopAfter(6000)
                        .start()) {
            assertThat(data.files()).isEqualTo(10_000);
            long most = 0;
            int count = 0;
            for (Batch batch : feed) {
                for (int i = 0; i < batch.size(); i++, count++) {
                    assertThat(batch.value(i, 1).toArray(ValueLayout.JAVA_BYTE))
                            .isEqualTo(samples.value(batch.sample(i) % 2, 1));
                }
                most = Math.max(most, Math.max(handles(), mappings()));
            }
            assertThat(count).isEqualTo(6000);
            assertThat(most - handles).as("open files at once").isLessThan(Dataset.OPEN_FILES + 100);
        }
    }

    private static long handles() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    private long mappings() throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.filter(line -> line.contains(folder.toString())).count();
        }
    }

    @Test
    void aSplitIsADataset() {
        Path file = RandomSamples.pack(folder.resolve("a.stk"), 1, 11, 50);
        try (var train = Dataset.openSplit("train", file);
                var val = Dataset.open(List.of(file + ":val"));
                var all = Dataset.open(file)) {
            assertThat(train.count()).isEqualTo(5);
            assertThat(val.count()).isEqualTo(6);
            assertThat(val.key(0)).isEqualTo("sample-5.bin");
            assertThat(Set.of(train.fingerprint(), val.fingerprint(), all.fingerprint()))
                    .hasSize(3);
        }
        assertThatThrownBy(() -> Dataset.openSplit("test", file))
                .hasMessageContaining("has no split 'test'; its splits are train, val");
    }

    @Test
    void aFolderOfLooseFilesIsADataset() throws IOException {
        Files.createDirectories(folder.resolve("photos/cat"));
        Files.writeString(folder.resolve("photos/cat/a.txt"), "miau");
        Files.writeString(folder.resolve("photos/cat/b.txt"), "");
        try (var data = Dataset.open(folder.resolve("photos"));
                var feed = Feed.of(data).batch(2).start()) {
            Batch batch = feed.next();
            assertThat(batch.text(0, 0)).isEqualTo("cat/a.txt");
            assertThat(batch.text(0, 1)).isEqualTo("miau");
            assertThat(batch.text(1, 1)).isEmpty();
            assertThat(feed.hasNext()).isFalse();
        }
    }

    @Test
    void refusesDifferentSchemasAndMissingFiles() throws IOException {
        Path file = RandomSamples.pack(folder.resolve("a.stk"), 1, 3, 50);
        Path loose = Files.createDirectory(folder.resolve("loose"));
        Files.writeString(loose.resolve("a"), "x");
        assertThatThrownBy(() -> Dataset.open(file, loose))
                .hasMessageContaining("a.stk] has the fields key text, data bytes, label int64")
                .hasMessageContaining("loose] has key text, data bytes;");
        assertThatThrownBy(() -> Dataset.open(List.of(folder + "/b*.stk")))
                .hasMessageContaining("no file matches; check the pattern");
        assertThatThrownBy(() -> Dataset.open(List.of(folder + "/b.stk")))
                .hasMessageContaining("b.stk] cannot be read: No such file");
        assertThatThrownBy(() -> Dataset.open()).hasMessageContaining("at least one file");
    }
}
