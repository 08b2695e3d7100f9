package dev.stoker.formats.numpy;

import dev.stoker.format.NpyArray;
import dev.stoker.format.Plan;
import dev.stoker.format.PlanOutline;
import dev.stoker.format.Run;
import dev.stoker.format.RunPlanner;
import dev.stoker.format.RunWriter;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.index.Placement;
import dev.stoker.sample.Samples;
import java.util.ArrayList;

/** An array before its first byte is written. Runs: rows, and the header last. */
final class NpyPlan implements Plan {
    private final int field;
    private final byte[] header;
    private final PlanOutline outline;

    NpyPlan(Samples samples, int field) {
        this.field = field;
        this.header = NpyArray.header(samples.schema().type(field), samples.count());
        long width = samples.schema().type(field).width();
        var runs = new ArrayList<Run>();
        long step = RunPlanner.samplesPerRun(width);
        for (long first = 0; first < samples.count(); first += step) {
            long end = Math.min(samples.count(), first + step);
            runs.add(new Run(first, end, header.length + first * width, (end - first) * width));
        }
        runs.add(Run.frame(0, header.length));
        long length = Math.addExact(header.length, Math.multiplyExact(width, samples.count()));
        var placements = new ArrayList<Placement>();
        for (int f = 0; f < samples.schema().size(); f++) {
            placements.add(
                    f == field
                            ? Placement.storedFrom(header.length)
                            : Placement.indexed(samples.schema().type(f).isFixed()));
        }
        IndexLayout index = IndexLayout.sidecar(
                new IndexMeta(NpyFormat.NAME, samples.schema(), samples.splits(), placements), samples);
        this.outline = new PlanOutline(index, length, runs);
    }

    @Override
    public PlanOutline outline() {
        return outline;
    }

    @Override
    public void fill(int number, RunWriter out) {
        Run run = run(number);
        if (number == runs() - 1) {
            out.put(header);
        }
        for (long i = run.first(); i < run.end(); i++) {
            out.value(i, field);
        }
    }
}
