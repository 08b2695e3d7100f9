package dev.stoker.sample;

import dev.stoker.os.FileStamp;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Samples over other samples. Everything is theirs, and closing closes them; subclasses override what they change. One
 * that leaves samples out overrides {@link #count}, {@link #splits} and {@link #source}.
 */
public abstract class FilterSamples implements Samples {
    protected final Samples samples;

    protected FilterSamples(Samples samples) {
        this.samples = samples;
    }

    /** The number that a sample has among the samples below. */
    protected long source(long sample) {
        return sample;
    }

    @Override
    public Schema schema() {
        return samples.schema();
    }

    @Override
    public List<Split> splits() {
        return samples.splits();
    }

    @Override
    public long count() {
        return samples.count();
    }

    @Override
    public long length(long sample, int field) {
        return samples.length(source(sample), field);
    }

    @Override
    public long[] shape(long sample, int field) {
        return samples.shape(source(sample), field);
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        samples.read(source(sample), field, from, to);
    }

    @Override
    public void verify(long sample, int field, IntSupplier checksum) {
        samples.verify(source(sample), field, checksum);
    }

    @Override
    public String describe(long sample) {
        return samples.describe(source(sample));
    }

    @Override
    public String fingerprint() {
        return samples.fingerprint();
    }

    @Override
    public List<Omission> omissions() {
        return samples.omissions();
    }

    @Override
    public List<FileStamp> seenFiles() {
        return samples.seenFiles();
    }

    @Override
    public void close() {
        samples.close();
    }
}
