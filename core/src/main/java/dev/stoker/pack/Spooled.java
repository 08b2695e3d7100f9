package dev.stoker.pack;

import dev.stoker.memory.SeenFile;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Samples of a file that was made from others.
 *
 * @param seenFiles those others
 * @param closed what to do after they are closed
 */
record Spooled(Samples samples, List<SeenFile> seenFiles, Runnable closed) implements Samples {
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
        return samples.length(sample, field);
    }

    @Override
    public long[] shape(long sample, int field) {
        return samples.shape(sample, field);
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        samples.read(sample, field, from, to);
    }

    @Override
    public void verify(long sample, int field, IntSupplier checksum) {
        samples.verify(sample, field, checksum);
    }

    @Override
    public String describe(long sample) {
        return samples.describe(sample);
    }

    @Override
    public String fingerprint() {
        return samples.fingerprint();
    }

    @Override
    public void close() {
        samples.close();
        closed.run();
    }
}
