package dev.stoker.formats.tfrecord;

import dev.stoker.StokerException;
import dev.stoker.format.Plan;
import dev.stoker.format.PlanOutline;
import dev.stoker.format.Run;
import dev.stoker.format.RunPlanner;
import dev.stoker.format.RunWriter;
import dev.stoker.index.IndexLayout;
import dev.stoker.index.IndexMeta;
import dev.stoker.index.Placement;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.util.ArrayList;
import java.util.zip.CRC32C;

/** A TFRecord file before its first byte is written. */
final class TfRecordPlan implements Plan {
    private final ExampleWriter examples;
    private final PlanOutline outline;

    TfRecordPlan(Samples samples, Schema schema) {
        this.examples = new ExampleWriter(samples, schema);
        var cut = new RunPlanner();
        for (long i = 0; i < samples.count(); i++) {
            long bytes = examples.length(i);
            if (bytes > Integer.MAX_VALUE) {
                throw new StokerException("format tfrecord cannot hold " + samples.describe(i) + ": an example has at"
                        + " most 2 GiB, this one has " + bytes + " bytes; choose another format");
            }
            cut.sample(cut.position() + Records.HEADER_BYTES + bytes + Records.FOOTER_BYTES);
        }
        var placements = new ArrayList<Placement>();
        for (Field field : schema.fields()) {
            placements.add(placement(field.type()));
        }
        IndexLayout index =
                IndexLayout.sidecar(new IndexMeta(TfRecordFormat.NAME, schema, samples.splits(), placements), samples);
        this.outline = new PlanOutline(index, cut.position(), cut.finish());
    }

    private static Placement placement(FieldType type) {
        boolean stored = ExampleWriter.Kind.of(type).isStored && !(type instanceof FieldType.Scalar);
        return stored ? Placement.stored() : Placement.indexed(type.isFixed());
    }

    @Override
    public PlanOutline outline() {
        return outline;
    }

    @Override
    public void fill(int number, RunWriter out) {
        Run run = run(number);
        var crc = new CRC32C();
        for (long i = run.first(); i < run.end(); i++) {
            out.put(Records.header(examples.length(i)));
            crc.reset();
            out.digest(crc);
            examples.write(i, out);
            out.digest(null);
            out.put(Records.footer((int) crc.getValue()));
        }
    }
}
