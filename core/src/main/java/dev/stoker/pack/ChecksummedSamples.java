package dev.stoker.pack;

import dev.stoker.memory.Checksum;
import dev.stoker.memory.SeenFile;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Samples that remember the checksum of one field, while its values are read by one thread from front to back. */
final class ChecksummedSamples implements Samples {
    private final Samples samples;
    private final int field;
    private final int[] checksums;
    private final Checksum running = new Checksum();

    ChecksummedSamples(Samples samples, int field) {
        this.samples = samples;
        this.field = field;
        this.checksums = new int[Math.toIntExact(samples.count())];
    }

    /** The checksum of a value that was read to its end. */
    int checksum(long sample) {
        return checksums[(int) sample];
    }

    @Override
    public void read(long sample, int which, long from, MemorySegment to) {
        samples.read(sample, which, from, to);
        if (which == field) {
            if (from == 0) {
                running.reset();
            }
            running.add(to);
            checksums[(int) sample] = running.value();
            if (from + to.byteSize() == samples.length(sample, field)) {
                samples.verify(sample, field, running::value);
            }
        }
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
    public long length(long sample, int which) {
        return samples.length(sample, which);
    }

    @Override
    public long[] shape(long sample, int which) {
        return samples.shape(sample, which);
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
    public List<SeenFile> seenFiles() {
        return samples.seenFiles();
    }

    /** The samples are not this one's to close. */
    @Override
    public void close() {}
}
