package dev.stoker.bench.peer;

import dev.stoker.dataset.Dataset;
import dev.stoker.feed.Batch;
import dev.stoker.feed.Feed;
import dev.stoker.feed.FeedBuilder;
import dev.stoker.image.DType;
import dev.stoker.image.ImageDecoder;
import dev.stoker.image.ImagePipeline;
import dev.stoker.image.Layout;
import dev.stoker.json.Json;
import dev.stoker.os.AvailableCores;
import dev.stoker.sample.Field;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/** The feed in Java as a contestant: a process of its own that answers as {@code contest.py} does. */
public final class FeedContestant implements AutoCloseable {
    private static final String CHAIN = "RandomResizedCrop(224),RandomHorizontalFlip";
    private static final int BRIGHTNESS_STEP = 7;

    private final Job job;
    private @Nullable Dataset dataset;
    private @Nullable Feed feed;

    public FeedContestant(Job job) {
        this.job = job;
    }

    /** Answers until it is told to quit, or its input ends. */
    public void serve(BufferedReader in, PrintStream out) throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<String, Object> answer;
            try {
                Message request = Message.parse(line);
                answer = switch (request.text("do")) {
                    case "prepare" -> prepare(request);
                    case "check" -> check();
                    case "turn" -> turn(request.number("seconds"));
                    default -> Map.of();
                };
            } catch (RuntimeException | IOException | PeerFailure e) {
                answer = Map.of("error", String.valueOf(e.getMessage()));
            }
            if (answer.isEmpty()) {
                return;
            }
            out.println(Json.write(answer));
            out.flush();
        }
    }

    private Map<String, Object> prepare(Message request) throws IOException, PeerFailure {
        long start = System.nanoTime();
        Path packed = Path.of(request.text("work"), "data.stk");
        pack(request, packed);
        int workers = Math.toIntExact(request.whole("workers"));
        dataset = Dataset.open(packed);
        FeedBuilder builder = Feed.of(dataset)
                .shuffle(request.whole("seed"))
                .batch(Math.toIntExact(request.whole("batch")))
                .threads(workers)
                .endless();
        builder = job == Job.RAW
                ? builder.fields(Field.DATA)
                : builder.fields(Field.DATA, Field.LABEL)
                        .decode(Field.DATA, ImageDecoder.of(ImagePipeline.parse(CHAIN, Layout.CHW, DType.UINT8)));
        feed = builder.start();
        return Map.of(
                "settings",
                List.of(workers + " threads"),
                "versions",
                Map.of(),
                "seconds",
                (System.nanoTime() - start) / 1e9);
    }

    private static void pack(Message request, Path packed) throws IOException, PeerFailure {
        List<String> command = List.of(
                request.text("stoker"),
                "pack",
                request.text("root"),
                "--manifest",
                request.text("manifest"),
                "--no-sync",
                "-o",
                packed.toString());
        try {
            int code = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IOException("stoker pack ended with exit code " + code);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private Map<String, Object> turn(double seconds) {
        // What was read ahead while others had their turns does not count.
        epoch(new Tally(job, false));
        long before = AvailableCores.busyNanos();
        long start = System.nanoTime();
        var tally = new Tally(job, false);
        long epochs = 0;
        do {
            epoch(tally);
            epochs++;
        } while (System.nanoTime() - start < 1e9 * seconds);
        double taken = (System.nanoTime() - start) / 1e9;
        Map<String, Object> answer = tally.answer();
        answer.put("epochs", epochs);
        answer.put("seconds", taken);
        answer.put("cpu_seconds", (AvailableCores.busyNanos() - before) / 1e9);
        return answer;
    }

    private Map<String, Object> check() {
        var tally = new Tally(job, true);
        epoch(tally);
        return tally.answer();
    }

    private void epoch(Tally tally) {
        if (feed == null) {
            throw new IllegalStateException("asked before it was prepared");
        }
        boolean isOver = false;
        while (!isOver) {
            Batch batch = feed.next();
            tally.add(batch);
            isOver = batch.isLastOfEpoch();
        }
    }

    @Override
    public void close() {
        if (feed != null) {
            feed.close();
        }
        if (dataset != null) {
            dataset.close();
        }
    }

    /** What epochs delivered. */
    private static final class Tally {
        private final Job job;
        private final boolean isChecked;
        private final CRC32 order = new CRC32();
        private long samples;
        private long bytes;
        private long checksum;
        private double brightness;

        Tally(Job job, boolean isChecked) {
            this.job = job;
            this.isChecked = isChecked;
        }

        void add(Batch batch) {
            int data = batch.schema().place(Field.DATA);
            samples += batch.size();
            bytes += batch.values(data).byteSize();
            for (int i = 0; isChecked && i < batch.size(); i++) {
                MemorySegment value = batch.value(i, data);
                if (job == Job.PHOTOS) {
                    brightness += brightness(value);
                    note(batch.value(i, batch.schema().place(Field.LABEL)).get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
                } else {
                    var crc = new CRC32();
                    crc.update(value.asByteBuffer());
                    note(crc.getValue());
                }
            }
        }

        private static double brightness(MemorySegment photo) {
            long sum = 0;
            long count = 0;
            for (long i = 0; i < photo.byteSize(); i += BRIGHTNESS_STEP) {
                sum += photo.get(ValueLayout.JAVA_BYTE, i) & 0xff;
                count++;
            }
            return (double) sum / count;
        }

        private void note(long value) {
            checksum += value;
            order.update(ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(value)
                    .flip());
        }

        Map<String, Object> answer() {
            var answer = new LinkedHashMap<String, Object>();
            answer.put("samples", samples);
            answer.put("bytes", bytes);
            if (isChecked) {
                answer.put("checksum", checksum);
                answer.put("order", order.getValue());
                answer.put("brightness", brightness / samples);
            }
            return answer;
        }
    }
}
