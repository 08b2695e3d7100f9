package dev.stoker.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.Await;
import dev.stoker.dataset.Dataset;
import dev.stoker.metric.MeterSnapshot;
import dev.stoker.metric.Metric;
import dev.stoker.metric.Registry;
import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a feed counts. A sleep takes at least as long as it says, so times have a lower bound that no load changes. */
@Timeout(60)
class FeedCountersTest {
    private static final int SAMPLES = 100;
    private static final int BATCH = 10;
    private static final long SLEEP_MILLIS = 5;

    @TempDir(factory = InMemory.class)
    private Path folder;

    private final Registry registry = new Registry();

    private MeterSnapshot read() {
        return registry.feed(0, List.of("a.stk")).read();
    }

    private FeedBuilder builder(Dataset data) {
        return Feed.of(data).batch(BATCH).shuffle(1).meter(registry.feed(0, List.of("a.stk")));
    }

    private Path pack() {
        return RandomSamples.pack(folder.resolve("a.stk"), 1, SAMPLES, 3000);
    }

    @Test
    void deliveriesAndBytes() {
        long bytes = 0;
        try (var samples = new RandomSamples(1, SAMPLES, 3000)) {
            for (long i = 0; i < SAMPLES; i++) {
                for (int f = 0; f < samples.schema().size(); f++) {
                    bytes += samples.value(i, f).length;
                }
            }
        }
        try (var data = Dataset.open(pack())) {
            for (int time = 1; time <= 2; time++) {
                try (Feed feed = builder(data).threads(2).start()) {
                    feed.forEach(_ -> {});
                    assertThat(read().get(Metric.FEED_THREADS)).isEqualTo(2);
                    assertThat(read().get(Metric.FEED_AHEAD)).isPositive();
                    assertThat(read().get(Metric.FEED_MEMORY)).isPositive();
                }
                assertThat(read().get(Metric.FEED_SAMPLES)).isEqualTo(time * SAMPLES);
                assertThat(read().get(Metric.FEED_BATCHES)).isEqualTo(time * SAMPLES / BATCH);
                assertThat(read().get(Metric.FEED_BYTES)).isEqualTo(time * bytes);
            }
        }
        assertThat(read().get(Metric.FEED_READ)).isPositive();
        assertThat(read().get(Metric.FEED_BATCH)).isPositive();
        assertThat(read().get(Metric.FEED_DECODE)).isZero();
        assertThat(read().get(Metric.FEED_BAD)).isZero();
    }

    @Test
    void aSlowTrainingLetsThreadsBeIdle() throws Exception {
        try (var data = Dataset.open(pack());
                Feed feed = builder(data).threads(1).ahead(2).start()) {
            feed.next();
            // The step that goes on counts, and so does the thread that waits.
            Await.until(
                    "the feed is ahead, and both count",
                    () -> read().get(Metric.FEED_READY) >= 2
                            && read().get(Metric.FEED_TRAIN) >= 0.1
                            && read().get(Metric.FEED_IDLE) >= 0.1);
            MeterSnapshot now = read();
            assertThat(now.get(Metric.FEED_WAIT)).isEqualTo(now.get(Metric.FEED_START));
        }
    }

    @Test
    void aSlowDecoderMakesTheTrainingWait() {
        try (var data = Dataset.open(pack());
                Feed feed =
                        builder(data).threads(1).decode("data", Sleeper::new).start()) {
            feed.forEach(_ -> {});
            MeterSnapshot now = read();
            double slept = SAMPLES * SLEEP_MILLIS / 1e3;
            assertThat(now.get(Metric.FEED_DECODE) + now.get(Metric.FEED_READ)).isGreaterThanOrEqualTo(slept);
            assertThat(now.get(Metric.FEED_DECODE)).isGreaterThan(now.get(Metric.FEED_READ));
            assertThat(now.get(Metric.FEED_WAIT)).isPositive();
        }
    }

    private static final class Sleeper implements Decoder {
        @Override
        public FieldType.Tensor output() {
            return new FieldType.Tensor(DType.UINT8, List.of(4L));
        }

        @Override
        public void decode(
                MemorySegment encoded, MemorySegment batch, long offset, long seed, long epoch, long sample) {
            try {
                Thread.sleep(SLEEP_MILLIS); // the time that decoding takes is what is counted
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void badSamplesAreCounted() {
        try (var data = Dataset.open(pack());
                Feed feed = builder(data)
                        .bad(BadPolicy.SKIP)
                        .decode("data", Refuser::new)
                        .start()) {
            feed.forEach(_ -> {});
            assertThat(read().get(Metric.FEED_BAD)).isEqualTo(SAMPLES / 10.0);
            assertThat(read().get(Metric.FEED_SAMPLES)).isEqualTo(SAMPLES - SAMPLES / 10.0);
        }
    }

    private static final class Refuser implements Decoder {
        @Override
        public FieldType.Tensor output() {
            return new FieldType.Tensor(DType.UINT8, List.of(4L));
        }

        @Override
        public void decode(
                MemorySegment encoded, MemorySegment batch, long offset, long seed, long epoch, long sample) {
            if (sample % 10 == 0) {
                throw new IllegalArgumentException("no picture");
            }
        }
    }

    @Test
    void theFlightRecorderSeesTheStages() throws IOException {
        Path file = folder.resolve("feed.jfr");
        try (var recording = new Recording()) {
            for (String name : List.of("stoker.Read", "stoker.Batch", "stoker.Wait", "stoker.Idle")) {
                recording.enable(name).withoutThreshold();
            }
            recording.start();
            try (var data = Dataset.open(pack());
                    Feed feed = builder(data).threads(2).start()) {
                feed.forEach(_ -> {});
            }
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        Set<String> names =
                events.stream().map(each -> each.getEventType().getName()).collect(Collectors.toSet());
        assertThat(names).contains("stoker.Batch", "stoker.Read", "stoker.Wait");
        assertThat(events.stream()
                        .filter(each -> each.getEventType().getName().equals("stoker.Read"))
                        .mapToLong(each -> each.getInt("samples"))
                        .sum())
                .isEqualTo(SAMPLES);
    }
}
