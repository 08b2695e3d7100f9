package dev.stoker.testkit;

import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.util.function.LongUnaryOperator;

/** Samples that exist by their sizes alone: enough for a plan, which must not read them. */
public record SizedSamples(Schema schema, long count, LongUnaryOperator size) implements Samples {
    @Override
    public long length(long sample, int field) {
        return schema.type(field).isFixed() ? schema.type(field).width() : size.applyAsLong(sample);
    }

    @Override
    public long[] shape(long sample, int field) {
        return new long[] {length(sample, field)};
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        throw new AssertionError("a plan reads no data");
    }

    @Override
    public String fingerprint() {
        return "sizes";
    }

    @Override
    public void close() {}
}
