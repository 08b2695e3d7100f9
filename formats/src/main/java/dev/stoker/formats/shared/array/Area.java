package dev.stoker.formats.shared.array;

import dev.stoker.format.Run;
import dev.stoker.format.RunWriter;
import java.util.ArrayList;
import java.util.List;

/** A piece of a planned file: the raw data of one dataset, or the heap that it refers to. Cut into runs. */
public abstract class Area {
    private long offset = -1;

    /** A place that the area may begin at: a multiple of this power of two. */
    public long alignment() {
        return 8;
    }

    public abstract long length();

    public final void place(long at) {
        offset = at;
    }

    /** Where it begins in the file; known once everything is placed. */
    public final long offset() {
        if (offset < 0) {
            throw new IllegalStateException("not placed yet");
        }
        return offset;
    }

    /** The runs, when it is placed. Between them they have every byte. */
    public abstract List<Run> runs();

    /** Gives the bytes of one of its runs. */
    public abstract void fill(Run run, RunWriter out);

    /** Runs of rows of one width that belong to no sample. */
    protected final List<Run> rowRuns(long rows, long width, long rowsPerRun) {
        var runs = new ArrayList<Run>();
        for (long row = 0; row < rows && width > 0; row += rowsPerRun) {
            long end = Math.min(rows, row + rowsPerRun);
            runs.add(Run.frame(offset() + row * width, (end - row) * width));
        }
        return runs;
    }
}
