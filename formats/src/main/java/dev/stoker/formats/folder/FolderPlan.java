package dev.stoker.formats.folder;

import dev.stoker.format.Plan;
import dev.stoker.format.PlanOutline;
import dev.stoker.format.Run;
import dev.stoker.format.RunPlanner;
import dev.stoker.format.RunWriter;
import dev.stoker.format.SmallValues;
import dev.stoker.format.TreeFields;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.Placement;
import dev.stoker.sample.Samples;

/** A folder before its first file is written. Runs are cut as if the files lay one behind the other. */
final class FolderPlan implements Plan {
    private final Samples samples;
    private final TreeFields fields;
    private final PlanOutline outline;

    FolderPlan(Samples samples, TreeFields fields) {
        this.samples = samples;
        this.fields = fields;
        var cut = new RunPlanner();
        for (long i = 0; i < samples.count(); i++) {
            cut.sample(Math.addExact(cut.position(), samples.length(i, fields.data())));
        }
        IndexLayout index = fields.sidecar(FolderFormat.NAME, samples, Placement.tree());
        this.outline = new PlanOutline(index, cut.position(), cut.finish());
    }

    @Override
    public PlanOutline outline() {
        return outline;
    }

    @Override
    public boolean isTree() {
        return true;
    }

    @Override
    public void fill(int number, RunWriter out) {
        Run run = run(number);
        for (long i = run.first(); i < run.end(); i++) {
            out.file(SmallValues.read(samples, i, fields.key()));
            out.value(i, fields.data());
        }
    }
}
