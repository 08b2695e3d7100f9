package dev.stoker.bench.sweep;

import dev.stoker.sample.FilterSamples;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Split;
import java.util.List;

/** So many of some samples, taken evenly from the first to the last, without splits. Closes them. */
final class SomeSamples extends FilterSamples {
    private final long count;

    SomeSamples(Samples all, long count) {
        super(all);
        this.count = Math.min(count, all.count());
    }

    @Override
    protected long source(long sample) {
        return Math.multiplyExact(sample, samples.count()) / count;
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
    public String fingerprint() {
        return super.fingerprint() + " " + count;
    }
}
