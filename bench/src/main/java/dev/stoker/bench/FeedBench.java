package dev.stoker.bench;

import dev.stoker.StokerException;
import dev.stoker.dataset.Dataset;
import dev.stoker.feed.Batch;
import dev.stoker.feed.Feed;
import dev.stoker.feed.FeedBuilder;
import dev.stoker.feed.ReadMode;
import dev.stoker.index.ContainerIdentity;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.index.Placement;
import dev.stoker.io.OutputFile;
import dev.stoker.order.Position;
import dev.stoker.order.RangeSet;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a feed takes, beside time: memory over very large data, time to go to a far position, and whether anything grows.
 * The data are files that are nearly all hole.
 */
public final class FeedBench {
    private static final long BASE = 1 << 20;
    private static final long EPOCH = 1000;
    private static final int SEEKS = 9;
    private static final int MEMORY_BATCHES = 12;
    private static final int THREADS = 2;

    private FeedBench() {}

    /** Milliseconds from the path to a feed in the middle of epoch 1000: the first time in this process, and the median. */
    public record Seek(double firstMillis, double medianMillis) {}

    /** What the buffers of a feed say that they take, and by how much the process grew with them. */
    public record Memory(long bufferBytes, long grownBytes) {
        public double ratio() {
            return (double) grownBytes / bufferBytes;
        }
    }

    /** File handles, bytes of buffers and memory of the process after a tenth of the batches, and at the end. */
    public record Growth(long batches, double seconds, Use early, Use late) {}

    /** What a process has at a moment. */
    public record Use(long handles, long bufferBytes, long processBytes) {
        static Use now(Feed feed) {
            return new Use(openHandles(), feed.metrics().memoryBytes(), ProcessMemory.anonymousBytes());
        }
    }

    /** Writes a container of so many samples of zeros, each of so many bytes; it takes no place on the disk. */
    public static void makeSparse(Path file, long samples, long width) {
        var schema = new Schema(List.of(new Field(Field.DATA, new FieldType.Tensor(DType.UINT8, List.of(width)))));
        var placement = new Placement(Placement.Place.FILE, true, BASE, false);
        var meta = new IndexMeta("stk", schema, List.of(), List.of(placement));
        IndexLayout layout = IndexLayout.container(meta, samples, new long[1], BASE + samples * width);
        try (OutputFile out = OutputFile.open(file)) {
            out.resize(layout.length());
            out.write(layout.metaOffset(), layout.metaBytes());
            out.write(0, layout.seal(out::checksum, ContainerIdentity.NONE, true));
        }
    }

    private static FeedBuilder builder(Dataset data, int batch) {
        return Feed.of(data)
                .batch(batch)
                .shuffle(7)
                .threads(THREADS)
                .read(ReadMode.MAP)
                .endless();
    }

    /** Opens, and seeks to the middle of a far epoch. */
    public static Seek seek(Path file) {
        var millis = new double[SEEKS];
        for (int i = 0; i < SEEKS; i++) {
            long before = System.nanoTime();
            try (Dataset data = Dataset.open(file)) {
                FeedBuilder builder = builder(data, 64);
                var middle = new Position(builder.identity(), EPOCH, data.count() / 2, RangeSet.EMPTY);
                try (Feed feed = builder.from(middle).start()) {
                    Batch batch = feed.next();
                    millis[i] = (System.nanoTime() - before) / 1e6;
                    if (batch.epoch() != EPOCH || batch.position(0) != data.count() / 2) {
                        throw new StokerException(
                                file, "the feed began at position " + batch.position(0) + " of epoch " + batch.epoch());
                    }
                }
            }
        }
        double first = millis[0];
        Arrays.sort(millis);
        return new Seek(first, millis[SEEKS / 2]);
    }

    /** Reads some batches; to be called when the classes are loaded, since they take memory too. */
    public static Memory memory(Path file, int batch) {
        try (Dataset data = Dataset.open(file)) {
            drain(data, 8, 4L << 30).close(); // loads classes
            System.gc();
            long before = ProcessMemory.anonymousBytes();
            try (Feed feed = drain(data, batch, 4L << 30)) {
                return new Memory(feed.metrics().memoryBytes(), ProcessMemory.anonymousBytes() - before);
            }
        }
    }

    private static Feed drain(Dataset data, int batch, long memory) {
        Feed feed = builder(data, batch).memory(memory).start();
        for (int i = 0; i < MEMORY_BATCHES; i++) {
            feed.next();
        }
        return feed;
    }

    /** Goes through many batches, with a ledger as a training would write it. */
    public static Growth growth(Path file, int batch, long batches, Path ledger) {
        long before = System.nanoTime();
        try (Dataset data = Dataset.open(file);
                Feed feed = builder(data, batch).ledger(ledger).start()) {
            long collections = collections();
            long done = 0;
            // Until the heap is collected for the first time, the process grows into the heap that it was given.
            while (done < batches / 10 || (collections() == collections && done < batches / 2)) {
                feed.next();
                done++;
            }
            Use early = Use.now(feed);
            for (; done < batches; done++) {
                feed.next();
            }
            return new Growth(batches, (System.nanoTime() - before) / 1e9, early, Use.now(feed));
        }
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    private static long openHandles() {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
