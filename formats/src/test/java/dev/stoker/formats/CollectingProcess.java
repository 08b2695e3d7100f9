package dev.stoker.formats;

import dev.stoker.collect.Collector;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/**
 * A process that gives random samples to a {@link Collector}, to be killed: for {@link CollectorTest}. Says in a file how
 * many samples were flushed; that file always tells less than was done, never more.
 */
final class CollectingProcess {
    static final Schema SCHEMA = new Schema(List.of(
            new Field(Field.KEY, new FieldType.Text()),
            new Field(Field.DATA, new FieldType.Bytes()),
            new Field("crc", new FieldType.Scalar(DType.INT64)),
            new Field("mask", new FieldType.Array(DType.UINT8, 2))));

    private CollectingProcess() {}

    /** Arguments: OUT RANK WORLD SEED SAMPLES. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path output = Path.of(args[0]);
        int rank = Integer.parseInt(args[1]);
        int world = Integer.parseInt(args[2]);
        var random = new SplittableRandom(Long.parseLong(args[3]) * 1000 + rank);
        int samples = Integer.parseInt(args[4]);
        var settings = new Collector.Settings(256 << 10, Duration.ofMillis(50), false);
        Path flushed = output.resolveSibling("flushed-" + rank);
        try (var collector = Collector.open(output, SCHEMA, rank, world, settings)) {
            for (int i = 0; i < samples; i++) {
                append(collector, random, rank, i, (long) i * world + rank);
                if (random.nextInt(40) == 0) {
                    collector.flush();
                    Files.writeString(flushed, (i + 1) + "\n");
                    Thread.sleep(random.nextInt(8)); // so that kills come at any moment of a longer life
                }
            }
        }
        Files.writeString(flushed, samples + "\n");
    }

    static void append(Collector collector, SplittableRandom random, int rank, int number, long index) {
        var data = new byte[random.nextInt(10) == 0 ? random.nextInt(60_000) : random.nextInt(500)];
        random.nextBytes(data);
        var crc = new CRC32();
        crc.update(data);
        MemorySegment number64 = MemorySegment.ofArray(new byte[8]);
        number64.set(LittleEndian.U64, 0, crc.getValue());
        long[] shape = {random.nextInt(4), random.nextInt(5)};
        MemorySegment mask = MemorySegment.ofArray(new byte[(int) (shape[0] * shape[1])]);
        MemorySegment key = MemorySegment.ofArray((rank + "/" + number).getBytes(StandardCharsets.UTF_8));
        collector.append(index, new long[][] {{}, {}, {}, shape}, key, MemorySegment.ofArray(data), number64, mask);
    }
}
