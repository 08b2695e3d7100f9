package dev.stoker.testkit;

import dev.stoker.sample.Field;
import dev.stoker.sample.FilterSamples;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;

/** Samples that do something in the middle: stand still, or fail as if the process had been killed. */
final class StoppingSamples extends FilterSamples {
    private final int data;
    private final long stop;
    private final Runnable then;
    private final AtomicLong reads = new AtomicLong();

    /**
     * Wraps samples.
     *
     * @param stop how many reads of {@code data} go well
     * @param then what is done at every later one
     */
    StoppingSamples(Samples samples, long stop, Runnable then) {
        super(samples);
        this.data = samples.schema().place(Field.DATA);
        this.stop = stop;
        this.then = then;
    }

    /** The failure that stands for a kill. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    static StoppingSamples killed(Samples samples, long stop) {
        return new StoppingSamples(samples, stop, () -> {
            throw new Killed();
        });
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        if (field == data && reads.getAndIncrement() >= stop) {
            then.run();
        }
        samples.read(sample, field, from, to);
    }
}
