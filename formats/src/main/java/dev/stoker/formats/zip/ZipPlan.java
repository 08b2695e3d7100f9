package dev.stoker.formats.zip;

import dev.stoker.format.Plan;
import dev.stoker.format.PlanOutline;
import dev.stoker.format.Run;
import dev.stoker.format.RunPlanner;
import dev.stoker.format.RunWriter;
import dev.stoker.format.SmallValues;
import dev.stoker.format.TreeFields;
import dev.stoker.formats.shared.zip.ZipRecords;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.Placement;
import dev.stoker.sample.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32;

/**
 * A zip before its first byte is written. Runs: the members; the end; and last the central directory, cut as the
 * members are, from what was noted of them.
 */
final class ZipPlan implements Plan {
    private final Samples samples;
    private final TreeFields fields;
    private final List<Run> members;
    private final byte[] end;
    private final PlanOutline outline;

    ZipPlan(Samples samples, TreeFields fields) {
        this.samples = samples;
        this.fields = fields;
        var cut = new RunPlanner();
        for (long i = 0; i < samples.count(); i++) {
            cut.sample(memberEnd(i, cut.position()));
        }
        this.members = cut.finish();
        var directory = new ArrayList<Run>();
        long position = cut.position();
        for (Run run : members) {
            long bytes = centralBytes(run);
            directory.add(Run.frame(position, bytes));
            position = Math.addExact(position, bytes);
        }
        this.end = ZipRecords.end(samples.count(), cut.position(), position - cut.position());
        long length = Math.addExact(position, end.length);
        var runs = new ArrayList<>(members);
        runs.add(Run.frame(position, end.length));
        runs.addAll(directory);
        IndexLayout index = fields.sidecar(ZipFormat.NAME, samples, Placement.stored());
        this.outline = new PlanOutline(index, length, runs);
    }

    private long memberEnd(long sample, long position) {
        long nameBytes = samples.length(sample, fields.key());
        long length = samples.length(sample, fields.data());
        long frame = ZipRecords.localBytes(nameBytes, length) + ZipRecords.descriptorBytes(length);
        return Math.addExact(position, Math.addExact(frame, length));
    }

    private long centralBytes(Run run) {
        long bytes = 0;
        long offset = run.offset();
        for (long i = run.first(); i < run.end(); i++) {
            bytes += ZipRecords.centralBytes(samples.length(i, fields.key()), samples.length(i, fields.data()), offset);
            offset = memberEnd(i, offset);
        }
        return bytes;
    }

    @Override
    public PlanOutline outline() {
        return outline;
    }

    @Override
    public void fill(int number, RunWriter out) {
        if (number < members.size()) {
            fillMembers(members.get(number), out);
        } else if (number == members.size()) {
            out.put(end);
        } else {
            fillDirectory(members.get(number - members.size() - 1), out);
        }
    }

    private void fillMembers(Run run, RunWriter out) {
        var crc = new CRC32();
        for (long i = run.first(); i < run.end(); i++) {
            long bytes = samples.length(i, fields.data());
            out.put(ZipRecords.local(SmallValues.read(samples, i, fields.key()), bytes));
            crc.reset();
            out.digest(crc);
            out.value(i, fields.data());
            out.digest(null);
            out.note(i, (int) crc.getValue());
            out.put(ZipRecords.descriptor((int) crc.getValue(), bytes));
        }
    }

    private void fillDirectory(Run run, RunWriter out) {
        int[] crcs = out.noted(run.first(), Math.toIntExact(run.samples()));
        long offset = run.offset();
        for (long i = run.first(); i < run.end(); i++) {
            byte[] name = SmallValues.read(samples, i, fields.key());
            int crc = crcs[(int) (i - run.first())];
            out.put(ZipRecords.central(name, crc, samples.length(i, fields.data()), offset, true));
            offset = memberEnd(i, offset);
        }
    }

    @Override
    public int lateRuns() {
        return members.size();
    }
}
