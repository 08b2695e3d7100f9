package dev.stoker.bench;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.dataset.Dataset;
import dev.stoker.feed.Batch;
import dev.stoker.feed.Feed;
import dev.stoker.image.ImageDecoder;
import dev.stoker.image.ImagePipeline;
import dev.stoker.image.PipelineWorker;
import dev.stoker.sample.Field;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many pictures per second come out of the feed, decoded and transformed, and how many out of the pipeline alone: the
 * same pictures in the same order by as many threads, from memory, in turn. The ratio says what the feed costs.
 */
public final class ImageBench {
    private final Path file;
    private final ImagePipeline pipeline;
    private final Settings settings;

    /**
     * What to measure.
     *
     * @param repeats passes of each contestant over all pictures; the medians are reported
     */
    public record Settings(int threads, int batch, int repeats, long seed) {}

    /**
     * What was measured: medians over the repeats.
     *
     * @param samplesPerSecond out of the feed
     * @param pipelineSamplesPerSecond out of the pipeline alone
     * @param ratio the median of the feed over the pipeline, pass by pass
     * @param processorMicros of all threads for one picture out of the feed: other work on the machine disturbs it less
     * @param shares of the time in each stage, from 0 to 1; empty where the runtime cannot tell
     * @param fullDecodeMicros for one whole JPEG by one thread, 0 if there is nothing to compare with
     * @param turboMicros the same by libturbojpeg
     */
    public record Result(
            long samples,
            double samplesPerSecond,
            double pipelineSamplesPerSecond,
            double ratio,
            double processorMicros,
            Map<String, Double> shares,
            double fullDecodeMicros,
            double turboMicros) {}

    private ImageBench(Path file, ImagePipeline pipeline, Settings settings) {
        this.file = file;
        this.pipeline = pipeline;
        this.settings = settings;
    }

    public static Result run(Path file, ImagePipeline pipeline, Settings settings) {
        return new ImageBench(file, pipeline, settings).measure();
    }

    private Result measure() {
        try (Container container = Container.open(file);
                Dataset dataset = Dataset.open(file)) {
            if (container.count() == 0) {
                throw new StokerException(file, "is empty: there is nothing to decode");
            }
            int repeats = settings.repeats();
            var rates = new double[repeats];
            var pipelineRates = new double[repeats];
            var ratios = new double[repeats];
            var processor = new double[repeats];
            // Until the compiler has seen everything; of few pictures it takes several passes.
            feedPass(dataset, 0);
            pipelinePass(container, 0);
            for (int r = 0; r < repeats; r++) {
                long before = processorNanos();
                rates[r] = feedPass(dataset, r + 1);
                processor[r] = (processorNanos() - before) / 1e3 / container.count();
                pipelineRates[r] = pipelinePass(container, r + 1);
                ratios[r] = rates[r] / pipelineRates[r];
            }
            Map<String, Double> shares = Stages.shares(() -> pipelinePass(container, repeats + 1));
            var whole = FullDecode.run(container, container.schema().place(Field.DATA))
                    .orElse(new FullDecode.Result(0, 0));
            return new Result(
                    container.count(),
                    Statistics.median(rates),
                    Statistics.median(pipelineRates),
                    Statistics.median(ratios),
                    Statistics.median(processor),
                    shares,
                    whole.micros(),
                    whole.turboMicros());
        }
    }

    /** One epoch of the feed; returns its pictures per second. */
    private double feedPass(Dataset dataset, long seed) {
        long start = System.nanoTime();
        long samples = 0;
        try (Feed feed = Feed.of(dataset)
                .shuffle(settings.seed() + seed)
                .batch(settings.batch())
                .threads(settings.threads())
                .decode(Field.DATA, ImageDecoder.of(pipeline))
                .start()) {
            for (Batch batch : feed) {
                samples += batch.size();
            }
        }
        return samples / ((System.nanoTime() - start) / 1e9);
    }

    /** All pictures through the pipeline; returns its pictures per second. */
    private double pipelinePass(Container container, long epoch) {
        int field = container.schema().place(Field.DATA);
        int count = Math.toIntExact(Math.min(container.count(), 1 << 26));
        var next = new AtomicInteger();
        var team = new ArrayList<Thread>();
        long start = System.nanoTime();
        for (int t = 0; t < settings.threads(); t++) {
            team.add(Thread.ofPlatform().name(Stages.THREAD).daemon().start(() -> {
                PipelineWorker worker = pipeline.worker();
                try (var arena = Arena.ofConfined()) {
                    // As large as the feed's batches are, so that both write through the same caches.
                    MemorySegment out = arena.allocate(pipeline.outputBytes() * settings.batch(), 64);
                    for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                        long at = i % settings.batch() * pipeline.outputBytes();
                        worker.run(container.value(i, field), out, at, settings.seed(), epoch, i);
                    }
                }
            }));
        }
        for (Thread thread : team) {
            join(thread);
        }
        return count / ((System.nanoTime() - start) / 1e9);
    }

    /** The processor time of this process. */
    private static long processorNanos() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(Duration::toNanos)
                .orElse(0L);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new StokerException("interrupted", e);
        }
    }
}
