package dev.stoker.collect;

import dev.stoker.StokerException;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Samples that were given and are not written yet. */
final class PendingSamples implements Samples {
    private final Schema schema;
    private final List<GrowingBuffer> values = new ArrayList<>();
    private final List<GrowingBuffer> ends = new ArrayList<>();
    private final List<long[][]> shapes = new ArrayList<>();
    private final GrowingBuffer indexes = new GrowingBuffer();
    private long bytes;

    PendingSamples(Schema schema) {
        this.schema = schema;
        for (int f = 0; f < schema.size(); f++) {
            values.add(new GrowingBuffer());
            ends.add(new GrowingBuffer());
        }
    }

    /** Adds a sample; refuses values that do not fit their types. */
    void add(long index, long[][] given, MemorySegment... sample) {
        if (sample.length != schema.size()) {
            throw new StokerException("a sample has " + schema.size() + " fields but " + sample.length + " were given");
        }
        var dimensions = new long[schema.size()][];
        for (int f = 0; f < sample.length; f++) {
            dimensions[f] = shape(f, sample[f].byteSize(), f < given.length ? given[f] : new long[0]);
        }
        for (int f = 0; f < sample.length; f++) {
            values.get(f).add(sample[f]);
            ends.get(f).addLong(values.get(f).size());
        }
        bytes += cost(sample);
        shapes.add(dimensions);
        indexes.addLong(index);
    }

    private long[] shape(int field, long length, long[] given) {
        FieldType type = schema.type(field);
        if (type.isFixed() && length != type.width()) {
            throw wrong(field, "has " + type.width() + " bytes, not " + length);
        }
        if (!(type instanceof FieldType.Array array)) {
            return new long[0];
        }
        long width = array.dtype().bytes();
        long[] shape = given.length == 0 && array.rank() == 1 ? new long[] {length / width} : given;
        long elements = 1;
        for (long dimension : shape) {
            elements = dimension < 0 ? -1 : Math.multiplyExact(elements, dimension);
        }
        if (shape.length != array.rank() || elements * width != length) {
            throw wrong(
                    field,
                    "needs " + array.rank() + " dimensions whose product is that of its " + length / width
                            + " elements");
        }
        return shape;
    }

    private StokerException wrong(int field, String reason) {
        return new StokerException("a value of field '"
                + schema.fields().get(field).name() + "' (" + schema.type(field).label() + ") " + reason);
    }

    void clear() {
        values.forEach(GrowingBuffer::clear);
        ends.forEach(GrowingBuffer::clear);
        shapes.clear();
        indexes.clear();
        bytes = 0;
    }

    /** What a sample takes in a batch at the most: values, padding, and its row of the table. */
    long cost(MemorySegment... sample) {
        long cost = Long.BYTES;
        for (int f = 0; f < sample.length; f++) {
            int dimensions = f < schema.size() && schema.type(f) instanceof FieldType.Array array ? array.rank() : 0;
            cost += 2L * Long.BYTES + (long) Long.BYTES * dimensions + BatchWriter.ALIGNMENT + sample[f].byteSize();
        }
        return cost;
    }

    /** What all samples take in a batch at the most. */
    long bytes() {
        return bytes;
    }

    long index(long sample) {
        return indexes.getLong(sample);
    }

    private long start(long sample, int field) {
        return sample == 0 ? 0 : ends.get(field).getLong(sample - 1);
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public long count() {
        return shapes.size();
    }

    @Override
    public long length(long sample, int field) {
        return ends.get(field).getLong(sample) - start(sample, field);
    }

    @Override
    public long[] shape(long sample, int field) {
        return shapes.get((int) sample)[field];
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        MemorySegment.copy(values.get(field).bytes(), start(sample, field) + from, to, 0, to.byteSize());
    }

    @Override
    public String describe(long sample) {
        return "sample " + sample + " of a batch";
    }

    @Override
    public String fingerprint() {
        return "pending";
    }

    @Override
    public void close() {
        values.forEach(GrowingBuffer::close);
        ends.forEach(GrowingBuffer::close);
        indexes.close();
    }
}
