package dev.stoker.transform;

import dev.stoker.listing.FolderLabels;
import dev.stoker.listing.ListedColumn;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.FilterSamples;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.function.IntSupplier;

/** Samples of a container without labels, whose keys are paths: they get the {@link FolderLabels} of those. */
public final class LabelledSamples extends FilterSamples {
    private final Schema schema;
    private final ListedColumn labels;
    private final int label;

    private LabelledSamples(Samples samples, FolderLabels byFolder) {
        super(samples);
        this.labels = byFolder.labels();
        this.label = samples.schema().size();
        var fields = new ArrayList<>(samples.schema().fields());
        fields.add(new Field(Field.LABEL, new FieldType.Scalar(DType.INT64)));
        this.schema = new Schema(fields, byFolder.classes());
    }

    /** The samples with a label, or as they are if they have one or no key says any. On failure they stay open. */
    public static Samples of(Samples samples) {
        int key = samples.schema().find(Field.KEY);
        if (key < 0
                || samples.schema().find(Field.LABEL) >= 0
                || !(samples.schema().type(key) instanceof FieldType.Text)) {
            return samples;
        }
        FolderLabels byFolder = FolderLabels.of(samples.count(), sample -> {
            var path = new byte[Math.toIntExact(samples.length(sample, key))];
            samples.read(sample, key, 0, MemorySegment.ofArray(path));
            return path;
        });
        return byFolder == null ? samples : new LabelledSamples(samples, byFolder);
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public long length(long sample, int field) {
        return field == label ? labels.length(sample) : samples.length(sample, field);
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        if (field == label) {
            labels.read(sample, from, to);
        } else {
            samples.read(sample, field, from, to);
        }
    }

    @Override
    public void verify(long sample, int field, IntSupplier checksum) {
        if (field != label) {
            samples.verify(sample, field, checksum);
        }
    }

    /** The labels follow from the keys, so the samples' own fingerprint and the fact that there are labels say all. */
    @Override
    public String fingerprint() {
        return samples.fingerprint() + ":labelled";
    }

    @Override
    public void close() {
        labels.close();
        super.close();
    }
}
