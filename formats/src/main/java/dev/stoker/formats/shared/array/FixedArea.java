package dev.stoker.formats.shared.array;

import dev.stoker.format.Run;
import dev.stoker.format.RunPlanner;
import dev.stoker.format.RunWriter;
import java.util.ArrayList;
import java.util.List;

/** Values of one width, one after another. */
public final class FixedArea extends Area {
    private final int field;
    private final Part part;
    private final long width;
    /** Whether the Index knows the values by their places here; if not, the runs belong to no sample. */
    private final boolean stored;

    private final boolean follows;

    /** @param follows right behind the values of the part before, so that the field is dense over all parts */
    public FixedArea(int field, Part part, long width, boolean stored, boolean follows) {
        this.field = field;
        this.part = part;
        this.width = width;
        this.stored = stored;
        this.follows = follows;
    }

    @Override
    public long alignment() {
        return follows ? 1 : 64;
    }

    @Override
    public long length() {
        return Math.multiplyExact(part.count(), width);
    }

    @Override
    public List<Run> runs() {
        long step = RunPlanner.samplesPerRun(width);
        if (!stored) {
            return rowRuns(part.count(), width, step);
        }
        var runs = new ArrayList<Run>();
        for (long first = part.first(); first < part.end(); first += step) {
            long end = Math.min(part.end(), first + step);
            runs.add(new Run(first, end, offset() + (first - part.first()) * width, (end - first) * width));
        }
        return runs;
    }

    @Override
    public void fill(Run run, RunWriter out) {
        // A run of values without bytes has no place to tell its samples by, but then it is a run of samples.
        long first = stored ? run.first() : part.first() + (run.offset() - offset()) / width;
        long end = stored ? run.end() : first + run.length() / width;
        for (long i = first; i < end; i++) {
            out.value(i, field);
        }
    }
}
