package dev.stoker.write;

import dev.stoker.format.Plan;
import dev.stoker.sample.Samples;
import java.util.concurrent.atomic.AtomicLongArray;

/** Counts the values that the runs of a plan gave: each that lies in the container must have been given once. */
final class ValueCount {
    private final Samples samples;
    private final Plan plan;
    private final AtomicLongArray counts;

    ValueCount(Samples samples, Plan plan) {
        this.samples = samples;
        this.plan = plan;
        this.counts = new AtomicLongArray(samples.schema().size());
    }

    /** What the run that was filled last gave. */
    void add(RunBuffer run) {
        for (int f = 0; f < counts.length(); f++) {
            counts.addAndGet(f, run.given(f));
        }
    }

    /** Fields in the Index alone may be given or not. */
    void requireAll() {
        for (int f = 0; f < counts.length(); f++) {
            boolean needed = new FieldRows(plan.index().meta().placements().get(f)).isNoted();
            if (needed && counts.get(f) != samples.count()) {
                throw new IllegalStateException(
                        "field " + f + " was given " + counts.get(f) + " times for " + samples.count() + " samples");
            }
        }
    }
}
