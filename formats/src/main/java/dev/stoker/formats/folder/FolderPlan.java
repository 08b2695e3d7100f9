package dev.stoker.formats.folder;

import dev.stoker.format.Plan;
import dev.stoker.format.Run;
import dev.stoker.format.RunCutter;
import dev.stoker.format.RunWriter;
import dev.stoker.format.SmallValues;
import dev.stoker.format.TreeFields;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.Placement;
import dev.stoker.sample.Samples;
import java.util.List;

/** A folder before its first file is written. Runs are cut as if the files lay one behind the other. */
final class FolderPlan implements Plan {
    private final Samples samples;
    private final TreeFields fields;
    private final List<Run> runs;
    private final long length;
    private final IndexLayout index;

    FolderPlan(Samples samples, TreeFields fields) {
        this.samples = samples;
        this.fields = fields;
        var cut = new RunCutter();
        for (long i = 0; i < samples.count(); i++) {
            cut.sample(Math.addExact(cut.position(), samples.length(i, fields.data())));
        }
        this.runs = cut.finish();
        this.length = cut.position();
        this.index = fields.sidecar(FolderFormat.NAME, samples, Placement.tree());
    }

    @Override
    public boolean isTree() {
        return true;
    }

    @Override
    public void fill(int number, RunWriter out) {
        Run run = runs.get(number);
        for (long i = run.first(); i < run.end(); i++) {
            out.file(SmallValues.read(samples, i, fields.key()));
            out.value(i, fields.data());
        }
    }

    @Override
    public IndexLayout index() {
        return index;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public int runs() {
        return runs.size();
    }

    @Override
    public Run run(int number) {
        return runs.get(number);
    }
}
