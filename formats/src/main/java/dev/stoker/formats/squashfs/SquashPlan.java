package dev.stoker.formats.squashfs;

import dev.stoker.format.Plan;
import dev.stoker.format.PlanOutline;
import dev.stoker.format.Run;
import dev.stoker.format.RunPlanner;
import dev.stoker.format.RunWriter;
import dev.stoker.format.TreeFields;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.Placement;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.Samples;
import java.util.ArrayList;

/** An image before its first byte is written. Runs: the superblock, the files' data, the inodes, the other tables. */
final class SquashPlan implements Plan {
    /** Block devices are read by pages: an image that ends within one cannot be mounted everywhere. */
    private static final int PADDING = 4096;

    private final TreeFields fields;
    private final SquashTables tables;
    private final PlanOutline outline;

    SquashPlan(Samples samples, TreeFields fields) {
        this.fields = fields;
        this.tables = new SquashTables(samples, fields);
        long length = LittleEndian.align(tables.end(), PADDING);
        var runs = new ArrayList<Run>();
        runs.add(Run.frame(0, Superblock.BYTES));
        var cut = new RunPlanner(Superblock.BYTES);
        for (long i = 0; i < samples.count(); i++) {
            cut.sample(cut.position() + samples.length(i, fields.data()));
        }
        runs.addAll(cut.finish());
        runs.add(Run.frame(tables.dataEnd(), tables.directoryTable() - tables.dataEnd()));
        runs.add(Run.frame(tables.directoryTable(), length - tables.directoryTable()));
        IndexLayout index = fields.sidecar(SquashFormat.NAME, samples, Placement.stored());
        this.outline = new PlanOutline(index, length, runs);
    }

    @Override
    public PlanOutline outline() {
        return outline;
    }

    @Override
    public void fill(int number, RunWriter out) {
        Run run = run(number);
        if (number == 0) {
            out.put(tables.superblock().toBytes());
        } else if (number == runs() - 1) {
            tables.writeDirectories(out);
            out.align(PADDING);
        } else if (number == runs() - 2) {
            tables.writeInodes(out);
        } else {
            for (long i = run.first(); i < run.end(); i++) {
                out.value(i, fields.data());
            }
        }
    }
}
