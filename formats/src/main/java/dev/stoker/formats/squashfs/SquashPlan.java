package dev.stoker.formats.squashfs;

import dev.stoker.format.Plan;
import dev.stoker.format.Run;
import dev.stoker.format.RunCutter;
import dev.stoker.format.RunWriter;
import dev.stoker.format.TreeFields;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.Placement;
import dev.stoker.memory.Layouts;
import dev.stoker.sample.Samples;
import java.util.ArrayList;
import java.util.List;

/** An image before its first byte is written. Runs: the superblock, the files' data, the inodes, the other tables. */
final class SquashPlan implements Plan {
    /** Block devices are read by pages: an image that ends within one cannot be mounted everywhere. */
    private static final int PADDING = 4096;

    private final TreeFields fields;
    private final SquashTables tables;
    private final List<Run> runs = new ArrayList<>();
    private final long length;
    private final IndexLayout index;

    SquashPlan(Samples samples, TreeFields fields) {
        this.fields = fields;
        this.tables = new SquashTables(samples, fields);
        this.length = Layouts.align(tables.end(), PADDING);
        runs.add(Run.frame(0, Superblock.BYTES));
        var cut = new RunCutter(Superblock.BYTES);
        for (long i = 0; i < samples.count(); i++) {
            cut.sample(cut.position() + samples.length(i, fields.data()));
        }
        runs.addAll(cut.finish());
        runs.add(Run.frame(tables.dataEnd(), tables.directoryTable() - tables.dataEnd()));
        runs.add(Run.frame(tables.directoryTable(), length - tables.directoryTable()));
        this.index = fields.sidecar(SquashFormat.NAME, samples, Placement.stored());
    }

    @Override
    public void fill(int number, RunWriter out) {
        Run run = runs.get(number);
        if (number == 0) {
            out.put(tables.superblock().toBytes());
        } else if (number == runs.size() - 1) {
            tables.writeDirectories(out);
            out.align(PADDING);
        } else if (number == runs.size() - 2) {
            tables.writeInodes(out);
        } else {
            for (long i = run.first(); i < run.end(); i++) {
                out.value(i, fields.data());
            }
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
