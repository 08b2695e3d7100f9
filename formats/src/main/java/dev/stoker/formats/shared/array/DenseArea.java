package dev.stoker.formats.shared.array;

import dev.stoker.format.Run;
import dev.stoker.format.RunPlanner;
import dev.stoker.format.RunWriter;
import dev.stoker.sample.Samples;
import java.util.ArrayList;
import java.util.List;

/** Values of any length, one after another without gaps. */
public final class DenseArea extends Area {
    private final Samples samples;
    private final int field;
    private final Part part;
    private final long length;

    public DenseArea(Samples samples, int field, Part part, long length) {
        this.samples = samples;
        this.field = field;
        this.part = part;
        this.length = length;
    }

    @Override
    public long alignment() {
        return 64;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public List<Run> runs() {
        var cut = new RunPlanner(offset());
        for (long i = part.first(); i < part.end(); i++) {
            cut.sample(Math.addExact(cut.position(), samples.length(i, field)));
        }
        var runs = new ArrayList<Run>();
        for (Run run : cut.finish()) {
            runs.add(new Run(part.first() + run.first(), part.first() + run.end(), run.offset(), run.length()));
        }
        return runs;
    }

    @Override
    public void fill(Run run, RunWriter out) {
        for (long i = run.first(); i < run.end(); i++) {
            out.value(i, field);
        }
    }
}
