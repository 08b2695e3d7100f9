package dev.stoker.format;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts samples that lie one after another into runs, long enough that each is one large write and short enough that
 * many writers have work to the end.
 */
public final class RunPlanner {
    private static final long RUN_BYTES = 4 << 20;
    /** A bound on small samples: on a slow filesystem the number of files opened matters, not their bytes. */
    private static final long RUN_SAMPLES = 512;

    private final List<Run> runs = new ArrayList<>();
    private long first;
    private long next;
    private long start;
    private long position;

    public RunPlanner() {
        this(0);
    }

    /** Begins at a byte of the container. */
    public RunPlanner(long start) {
        this.start = start;
        this.position = start;
    }

    /** Where the next sample begins. */
    public long position() {
        return position;
    }

    /** The next sample ends there. */
    public void sample(long end) {
        samples(1, end);
    }

    /** The next samples, which have to be in one run, end there. */
    public void samples(long count, long end) {
        position = end;
        next += count;
        if (position - start >= RUN_BYTES || next - first >= RUN_SAMPLES) {
            cut();
        }
    }

    private void cut() {
        runs.add(new Run(first, next, start, position - start));
        first = next;
        start = position;
    }

    /** The runs, when all samples were given. */
    public List<Run> finish() {
        if (next > first) {
            cut();
        }
        return runs;
    }

    /** How many fixed-length samples make a run. */
    public static long samplesPerRun(long width) {
        return Math.max(1, width == 0 ? RUN_SAMPLES : RUN_BYTES / width);
    }
}
