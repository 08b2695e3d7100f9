package dev.stoker.bench;

import dev.stoker.format.Format;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Plan;
import dev.stoker.format.Run;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.write.PlanShares;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What every rank of a job does before it fills its share: hold the names, sizes and times of all files, place every
 * byte, and cut the runs into shares. In this process that is done once, as one rank does it.
 */
public final class PlanBench {
    private static final int KEY_BYTES = 24;

    private PlanBench() {}

    /**
     * What was measured.
     *
     * @param megabytes the most memory that the process had at any time, of 1,000,000 bytes
     * @param smallest bytes of the smallest share
     * @param largest bytes of the largest share
     */
    public record Result(double seconds, double megabytes, int runs, long bytes, long smallest, long largest) {}

    public static Result run(Format format, long samples, int ranks, long seed) {
        try (var listed = new ListedSizes(samples, seed)) {
            long start = System.nanoTime();
            Plan plan = format.plan(listed, FormatOptions.NONE);
            PlanShares shares = PlanShares.cut(plan, ranks, 0);
            double seconds = (System.nanoTime() - start) / 1e9;
            long smallest = Long.MAX_VALUE;
            long largest = 0;
            for (int rank = 0; rank < ranks; rank++) {
                long bytes = 0;
                for (int i = 0; i < shares.count(rank); i++) {
                    Run run = plan.run(shares.run(rank, i));
                    bytes += run.length();
                }
                smallest = Math.min(smallest, bytes);
                largest = Math.max(largest, bytes);
            }
            return new Result(seconds, peakMegabytes(), plan.runs(), plan.length(), smallest, largest);
        }
    }

    private static double peakMegabytes() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
                if (line.startsWith("VmHWM:")) {
                    return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024 / 1e6;
                }
            }
            return Double.NaN;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Files that were listed, as a rank remembers them: names, and for each a size and a time. */
    private static final class ListedSizes implements Samples {
        private static final Schema SCHEMA = new Schema(List.of(
                new Field(Field.KEY, new FieldType.Text()),
                new Field(Field.DATA, new FieldType.Bytes()),
                new Field(Field.LABEL, new FieldType.Scalar(DType.INT64))));

        private final long count;
        private final Arena arena = Arena.ofShared();
        private final MemorySegment stats;
        private final GrowingBuffer names = new GrowingBuffer();

        ListedSizes(long count, long seed) {
            this.count = count;
            this.stats = arena.allocate(16 * count, 8);
            var random = new SplittableRandom(seed);
            byte[] name = "n00000000/00000000000.jpg".substring(0, KEY_BYTES).getBytes(StandardCharsets.US_ASCII);
            for (long i = 0; i < count; i++) {
                stats.set(LittleEndian.U64, 16 * i, random.nextLong(1_000, 200_000));
                long rest = i;
                for (int digit = KEY_BYTES - 5; digit > 9; digit--) {
                    name[digit] = (byte) ('0' + rest % 10);
                    rest /= 10;
                }
                names.add(name);
            }
        }

        @Override
        public Schema schema() {
            return SCHEMA;
        }

        @Override
        public long count() {
            return count;
        }

        @Override
        public long length(long sample, int field) {
            return switch (field) {
                case 0 -> KEY_BYTES;
                case 1 -> stats.get(LittleEndian.U64, 16 * sample);
                default -> Long.BYTES;
            };
        }

        @Override
        public void read(long sample, int field, long from, MemorySegment to) {
            if (field == 0) {
                MemorySegment.copy(names.bytes(), KEY_BYTES * sample + from, to, 0, to.byteSize());
            } else if (field == 1) {
                throw new IllegalStateException("a plan reads no data");
            } else {
                to.set(ValueLayout.JAVA_BYTE, 0, (byte) 0);
            }
        }

        @Override
        public String fingerprint() {
            return "sizes";
        }

        @Override
        public void close() {
            arena.close();
            names.close();
        }
    }
}
