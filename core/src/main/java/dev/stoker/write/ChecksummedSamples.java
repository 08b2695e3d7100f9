package dev.stoker.write;

import dev.stoker.io.Checksum;
import dev.stoker.sample.FilterSamples;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;

/** Samples that remember the checksum of one field, while its values are read by one thread from front to back. */
final class ChecksummedSamples extends FilterSamples {
    private final int field;
    private final int[] checksums;
    private final Checksum running = new Checksum();

    ChecksummedSamples(Samples samples, int field) {
        super(samples);
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

    /** The samples are not this one's to close. */
    @Override
    public void close() {}
}
