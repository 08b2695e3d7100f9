package dev.stoker.feed;

import dev.stoker.concurrent.Progress;
import dev.stoker.format.FormatOptions;
import dev.stoker.format.Formats;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import dev.stoker.write.Packer;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;

/** Samples whose every byte follows from their seed and number, so that a test can tell what a batch should hold. */
public final class RandomSamples implements Samples {
    private static final Schema SCHEMA = new Schema(
            List.of(
                    new Field(Field.KEY, new FieldType.Text()),
                    new Field(Field.DATA, new FieldType.Bytes()),
                    new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)),
                    new Field("grid", new FieldType.Array(DType.INT16, 2)),
                    new Field("wide", new FieldType.Tensor(DType.FLOAT32, List.of(2L, 3L)))),
            List.of("cat", "dog"));

    private final long seed;
    private final long count;
    private final int maxBytes;

    public RandomSamples(long seed, long count, int maxBytes) {
        this.seed = seed;
        this.count = count;
        this.maxBytes = maxBytes;
    }

    public static Path pack(Path file, long seed, long count, int maxBytes) {
        try (var samples = new RandomSamples(seed, count, maxBytes)) {
            var settings = new Packer.Settings(FormatOptions.NONE, 1, false, true, false);
            new Packer(samples, Formats.named("stk"), file, settings, new Progress()).run();
            return file;
        }
    }

    /** What a value should be. */
    public byte[] value(long sample, int field) {
        var random = new SplittableRandom(seed * 31 + sample * 7 + field);
        return switch (field) {
            case 0 -> "sample-%d.bin".formatted(sample).getBytes(StandardCharsets.UTF_8);
            case 1 -> bytes(random, random.nextInt(maxBytes + 1));
            case 2 -> new byte[] {(byte) (sample % 2), 0, 0, 0, 0, 0, 0, 0};
            case 3 -> {
                long[] shape = shape(sample, field);
                yield bytes(random, (int) (2 * shape[0] * shape[1]));
            }
            default -> bytes(random, 24);
        };
    }

    private static byte[] bytes(SplittableRandom random, int length) {
        var bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @Override
    public Schema schema() {
        return SCHEMA;
    }

    @Override
    public List<Split> splits() {
        long half = count / 2;
        return List.of(new Split("train", 0, half), new Split("val", half, count - half));
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long length(long sample, int field) {
        return value(sample, field).length;
    }

    @Override
    public long[] shape(long sample, int field) {
        return new long[] {1 + sample % 3, sample % 4};
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        MemorySegment.copy(MemorySegment.ofArray(value(sample, field)), from, to, 0, to.byteSize());
    }

    @Override
    public String fingerprint() {
        return "random " + seed + " " + count + " " + maxBytes;
    }

    @Override
    public void close() {}
}
