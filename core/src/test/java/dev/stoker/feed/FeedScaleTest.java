package dev.stoker.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.index.Identity;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.index.Placement;
import dev.stoker.memory.MappedFile;
import dev.stoker.memory.OutputFile;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A feed over a terabyte, which is a file that is nearly all hole. */
class FeedScaleTest {
    private static final long BASE = 1 << 20;
    private static final int WIDTH = 1000;

    @TempDir
    private Path folder;

    /** A container of so many samples of zeros, all of the same length, in one array. */
    private Path sparse(long samples) {
        Path file = folder.resolve("sparse.stk");
        var schema = new Schema(List.of(new Field("data", new FieldType.Tensor(DType.UINT8, List.of((long) WIDTH)))));
        var placement = new Placement(Placement.Place.FILE, true, BASE, false);
        var meta = new IndexMeta("stk", schema, List.of(), List.of(placement));
        IndexLayout layout = IndexLayout.container(meta, samples, new long[1], BASE + samples * WIDTH);
        try (OutputFile out = OutputFile.open(file)) {
            out.resize(layout.length());
            out.write(layout.metaOffset(), layout.metaBytes());
            try (MappedFile filled = MappedFile.open(file)) {
                out.write(0, layout.seal(filled.bytes(), Identity.NONE, true));
            }
        }
        return file;
    }

    @Test
    void memoryIsWhatTheBuffersSayAndSeekingTakesNoTime() throws IOException {
        Path file = sparse(1_000_000_000L);
        long limit = 64_000_000;
        openAtEpoch(file, 0, limit).close(); // loads classes
        long before = System.nanoTime();
        try (var opened = openAtEpoch(file, 1000, limit)) {
            assertThat(opened.feed.hasNext()).isTrue();
            assertThat((System.nanoTime() - before) / 1e6)
                    .as("ms to open and seek")
                    .isLessThan(100);
            long anonymous = anonymousBytes();
            for (int i = 0; i < 10; i++) {
                Batch batch = opened.feed.next();
                assertThat(batch.size()).isEqualTo(8192);
                assertThat(batch.epoch()).isEqualTo(1000);
                assertThat(batch.values(0).byteSize()).isEqualTo(8192L * WIDTH);
            }
            long memory = opened.feed.metrics().memoryBytes();
            assertThat(memory).isBetween(8192L * WIDTH, limit);
            // Beside the buffers the heap of a test moves by some megabytes.
            assertThat(anonymousBytes() - anonymous).isLessThan(memory + memory / 10 + (24 << 20));
        }
    }

    private record Opened(Dataset data, Feed feed) implements AutoCloseable {
        @Override
        public void close() {
            feed.close();
            data.close();
        }
    }

    /** A feed in the middle of an epoch. */
    private static Opened openAtEpoch(Path file, long epoch, long memory) {
        Dataset data = Dataset.open(file);
        FeedBuilder builder = data.feed()
                .batch(8192)
                .shuffle(7)
                .memory(memory)
                .threads(2)
                .read(ReadMode.MAP)
                .endless();
        Position middle = new Position(builder.identity(), epoch, data.count() / 2, Ranges.EMPTY);
        return new Opened(data, builder.from(middle).start());
    }

    @Test
    void nothingGrowsOverManyBatches() throws Exception {
        Path file = RandomSamples.pack(folder.resolve("small.stk"), 1, 3000, 100);
        try (var data = Dataset.open(file);
                var feed = data.feed()
                        .batch(10)
                        .shuffle(1)
                        .endless()
                        .ledger(folder.resolve("ledger"))
                        .start()) {
            long handles = 0;
            long memory = 0;
            long anonymous = 0;
            // A day of 10 batches a second would be 864,000; this is the pattern of growth that would show in one.
            for (int i = 0; i < 40_000; i++) {
                feed.next();
                if (i == 10_000) {
                    handles = handles();
                    memory = feed.metrics().memoryBytes();
                    anonymous = anonymousBytes();
                }
            }
            assertThat(handles()).isEqualTo(handles);
            assertThat(feed.metrics().memoryBytes()).isLessThanOrEqualTo(memory + memory / 4);
            assertThat(anonymousBytes() - anonymous).isLessThan(48 << 20);
        }
    }

    private static long handles() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    private static long anonymousBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("RssAnon:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
            }
        }
        throw new IOException("no RssAnon");
    }
}
