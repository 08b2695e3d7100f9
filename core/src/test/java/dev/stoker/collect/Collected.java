package dev.stoker.collect;

import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Samples to be collected: a key that tells rank and number, bytes, and an array of two dimensions. */
final class Collected {
    static final Schema SCHEMA = new Schema(List.of(
            new Field(Field.KEY, new FieldType.Text()),
            new Field(Field.DATA, new FieldType.Bytes()),
            new Field("mask", new FieldType.Array(DType.UINT8, 2))));

    static final int CHUNK = 64 << 10;

    /** The smallest chunks, and nothing is written before it is flushed. */
    static final Collector.Settings SETTINGS = new Collector.Settings(CHUNK, Duration.ofHours(1), false);

    private Collected() {}

    static void append(Collector collector, int rank, int number) {
        append(collector, rank, number, number, 10 * number);
    }

    static void append(Collector collector, int rank, int number, long index, int bytes) {
        collector.append(
                index,
                new long[][] {{}, {}, {number, 2}},
                MemorySegment.ofArray((rank + "/" + number).getBytes(StandardCharsets.UTF_8)),
                MemorySegment.ofArray(data(bytes)),
                MemorySegment.ofArray(new byte[2 * number]));
    }

    /** Bytes that are not zero, as a gap of the file is. */
    static byte[] data(int bytes) {
        var data = new byte[bytes];
        Arrays.fill(data, (byte) 'x');
        return data;
    }
}
