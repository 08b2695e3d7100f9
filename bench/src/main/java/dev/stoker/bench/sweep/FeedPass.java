package dev.stoker.bench.sweep;

import dev.stoker.bench.ProcessMemory;
import dev.stoker.dataset.Dataset;
import dev.stoker.feed.Batch;
import dev.stoker.feed.Feed;
import dev.stoker.feed.FeedBuilder;
import dev.stoker.feed.ReadMode;
import dev.stoker.os.AvailableCores;
import dev.stoker.sample.Schema;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Goes through a container by a feed, as a training would that does nothing with its batches.
 *
 * @param epochs that count, without a stop between them
 * @param memory the most that all batches may take together
 * @param seed of the order
 * @param digests whether every value's checksum is added up, which takes time
 */
record FeedPass(Setting setting, long epochs, long memory, long seed, boolean digests) {

    Pass over(Path container) {
        try (Dataset data = Dataset.open(container)) {
            long batches = (data.count() + setting.batch() - 1) / setting.batch();
            long lead = leadEpochs(batches);
            FeedBuilder builder = Feed.of(data)
                    .fields(SweepSize.fields(data.schema()).toArray(String[]::new))
                    .batch(setting.batch())
                    .threads(setting.workers())
                    .read(setting.mmap() ? ReadMode.MAP : ReadMode.PREAD)
                    .memory(memory)
                    .epochs(lead + epochs);
            if (setting.shuffle()) {
                builder.shuffle(seed);
            }
            return measure(builder, lead * batches, epochs * batches);
        }
    }

    /**
     * Epochs before those that count, until every batch in flight has its memory: a training goes on for hours, so it does
     * not notice what the first batches take. What comes from storage comes from there but once.
     */
    private long leadEpochs(long batches) {
        long inFlight = 1L + FeedBuilder.defaultAhead(setting.workers(), setting.batch());
        return setting.cold() || digests ? 0 : (inFlight + batches - 1) / batches;
    }

    private Pass measure(FeedBuilder builder, long lead, long mostBatches) {
        var waits = new double[Math.toIntExact(mostBatches)];
        int batches = 0;
        long samples = 0;
        long bytes = 0;
        long digest = 0;
        try (Feed feed = builder.start()) {
            for (long i = 0; i < lead; i++) {
                var _ = feed.next();
            }
            long cpu = AvailableCores.busyNanos();
            long start = System.nanoTime();
            while (feed.hasNext()) {
                long before = System.nanoTime();
                Batch batch = feed.next();
                waits[batches++] = (System.nanoTime() - before) / 1e3;
                samples += batch.size();
                for (int f = 0; f < feed.schema().size(); f++) {
                    bytes += batch.values(f).byteSize();
                }
                digest += digests ? digest(batch) : 0;
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            double cpuSeconds = (AvailableCores.busyNanos() - cpu) / 1e9;
            return new Pass(
                    samples,
                    bytes,
                    seconds,
                    cpuSeconds,
                    Pass.thinned(Arrays.copyOf(waits, batches)),
                    ProcessMemory.anonymousBytes(),
                    feed.metrics().memoryBytes(),
                    digest);
        }
    }

    private static long digest(Batch batch) {
        Schema schema = batch.schema();
        long sum = 0;
        for (int f = 0; f < schema.size(); f++) {
            for (int i = 0; i < batch.size(); i++) {
                sum += SweepSize.digest(schema.fields().get(f), batch.value(i, f));
            }
        }
        return sum;
    }
}
