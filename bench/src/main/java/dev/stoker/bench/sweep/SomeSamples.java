package dev.stoker.bench.sweep;

import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** So many of some samples, taken evenly from the first to the last, without splits. Closes them. */
final class SomeSamples implements Samples {
    private final Samples all;
    private final long count;

    SomeSamples(Samples all, long count) {
        this.all = all;
        this.count = Math.min(count, all.count());
    }

    private long of(long sample) {
        return Math.multiplyExact(sample, all.count()) / count;
    }

    @Override
    public Schema schema() {
        return all.schema();
    }

    @Override
    public List<Split> splits() {
        return List.of();
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long length(long sample, int field) {
        return all.length(of(sample), field);
    }

    @Override
    public long[] shape(long sample, int field) {
        return all.shape(of(sample), field);
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        all.read(of(sample), field, from, to);
    }

    @Override
    public String describe(long sample) {
        return all.describe(of(sample));
    }

    @Override
    public String fingerprint() {
        return all.fingerprint() + " " + count;
    }

    @Override
    public void close() {
        all.close();
    }
}
