package dev.stoker.djl;

import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;

/** Points of a plane; the label says whether a point lies inside a circle. */
record PointSamples(long count) implements Samples {
    private static final Schema SCHEMA = new Schema(List.of(
            new Field("point", new FieldType.Tensor(DType.FLOAT32, List.of(2L))),
            new Field("label", new FieldType.Scalar(DType.INT64))));

    private static float[] point(long sample) {
        var random = new SplittableRandom(sample);
        return new float[] {random.nextFloat() * 2 - 1, random.nextFloat() * 2 - 1};
    }

    @Override
    public Schema schema() {
        return SCHEMA;
    }

    @Override
    public long length(long sample, int field) {
        return 8;
    }

    @Override
    public long[] shape(long sample, int field) {
        return new long[] {2};
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        MemorySegment value = MemorySegment.ofArray(new byte[8]);
        float[] point = point(sample);
        if (field == 0) {
            value.set(LittleEndian.U32, 0, Float.floatToIntBits(point[0]));
            value.set(LittleEndian.U32, 4, Float.floatToIntBits(point[1]));
        } else {
            value.set(LittleEndian.U64, 0, point[0] * point[0] + point[1] * point[1] < 0.6 ? 1 : 0);
        }
        MemorySegment.copy(value, from, to, 0, to.byteSize());
    }

    @Override
    public String describe(long sample) {
        return "point " + sample;
    }

    @Override
    public String fingerprint() {
        return "points " + count;
    }

    @Override
    public void close() {}
}
