package dev.stoker.transform;

import dev.stoker.StokerException;
import dev.stoker.format.NumberConversion;
import dev.stoker.io.Fingerprints;
import dev.stoker.os.FileStamp;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Omission;
import dev.stoker.sample.Omissions;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import dev.stoker.sample.TextList;
import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Several sources one after another, each a split, with one schema. A split that lacks the label has {@link
 * Field#NO_LABEL}, one that lacks a text has an empty one. Labels that stand for class names are renumbered where the
 * splits have different classes.
 */
public final class JoinedSplits implements Samples {
    private final Schema schema;
    private final List<Split> splits = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();
    private final long count;

    /**
     * One split.
     *
     * @param first the number of its first sample
     * @param fields for each field its place in the split's own schema, or -1
     * @param labels for each class of the split its number; empty where labels stay as they are
     */
    private record Part(Samples samples, long first, int[] fields, int[] labels) {
        private boolean renumbers(Field field) {
            return labels.length > 0 && field.name().equals(Field.LABEL);
        }
    }

    private JoinedSplits(Map<String, Samples> sources) {
        this.schema = JoinedSchema.of(sources);
        long first = 0;
        for (var source : sources.entrySet()) {
            Samples samples = source.getValue();
            parts.add(part(samples, first));
            splits.add(new Split(source.getKey(), first, samples.count()));
            first += samples.count();
        }
        this.count = first;
    }

    /** Joins sources by the names of their splits, in the order of the map. On failure they stay open. */
    public static Samples of(Map<String, Samples> splits) {
        return new JoinedSplits(splits);
    }

    private Part part(Samples samples, long first) {
        int[] fields = schema.fields().stream()
                .mapToInt(field -> samples.schema().find(field.name()))
                .toArray();
        List<String> classes = samples.schema().classes();
        if (classes.isEmpty() || classes.equals(schema.classes())) {
            return new Part(samples, first, fields, new int[0]);
        }
        refuseNarrowLabel();
        var numbers = new HashMap<String, Integer>();
        schema.classes().forEach(name -> numbers.put(name, numbers.size()));
        return new Part(
                samples, first, fields, classes.stream().mapToInt(numbers::get).toArray());
    }

    private void refuseNarrowLabel() {
        int label = schema.find(Field.LABEL);
        int classes = schema.classes().size();
        if (label >= 0
                && schema.type(label) instanceof FieldType.Scalar(DType dtype)
                && !NumberConversion.holds(dtype, classes - 1)) {
            throw new StokerException("the splits have " + classes + " classes together but labels are " + dtype.label()
                    + ", which holds " + NumberConversion.range(dtype) + "; give labels a wider type");
        }
    }

    private Part partOf(long sample) {
        int part = 0;
        while (sample >= splits.get(part).end()) {
            part++;
        }
        return parts.get(part);
    }

    @Override
    public Schema schema() {
        return schema;
    }

    @Override
    public List<Split> splits() {
        return List.copyOf(splits);
    }

    @Override
    public long count() {
        return count;
    }

    @Override
    public long length(long sample, int field) {
        Part part = partOf(sample);
        int own = part.fields()[field];
        return own < 0 ? stand(field).byteSize() : part.samples().length(sample - part.first(), own);
    }

    @Override
    public long[] shape(long sample, int field) {
        Part part = partOf(sample);
        return part.samples().shape(sample - part.first(), part.fields()[field]);
    }

    @Override
    public void read(long sample, int field, long from, MemorySegment to) {
        Part part = partOf(sample);
        long inPart = sample - part.first();
        int own = part.fields()[field];
        if (own < 0) {
            MemorySegment.copy(stand(field), from, to, 0, to.byteSize());
        } else if (part.renumbers(schema.fields().get(field))) {
            MemorySegment.copy(renumbered(part, inPart, own), from, to, 0, to.byteSize());
        } else {
            part.samples().read(inPart, own, from, to);
        }
    }

    /** What stands for the value of a field that a split lacks; {@link JoinedSchema} has let through no others. */
    private MemorySegment stand(int field) {
        return switch (schema.type(field)) {
            case FieldType.Scalar(DType dtype) -> number(dtype, Field.NO_LABEL);
            case FieldType.Texts() -> MemorySegment.ofArray(TextList.encode(List.of()));
            default -> MemorySegment.ofArray(new byte[0]);
        };
    }

    private MemorySegment renumbered(Part part, long sample, int field) {
        long label = label(part.samples(), sample, field);
        if (label < Field.NO_LABEL || label >= part.labels().length) {
            throw new StokerException(
                    part.samples().describe(sample),
                    "has label " + label + " but there are" + " only " + part.labels().length + " classes");
        }
        DType dtype = ((FieldType.Scalar) part.samples().schema().type(field)).dtype();
        return number(dtype, label < 0 ? label : part.labels()[(int) label]);
    }

    private static MemorySegment number(DType dtype, long value) {
        MemorySegment number = MemorySegment.ofArray(new byte[dtype.bytes()]);
        NumberConversion.put(number, dtype, value);
        return number;
    }

    /** The label of a sample. */
    static long label(Samples samples, long sample, int field) {
        if (!(samples.schema().type(field) instanceof FieldType.Scalar(DType dtype)) || dtype.isFloat()) {
            throw new StokerException("labels that stand for classes should be integers but are "
                    + samples.schema().type(field).label());
        }
        MemorySegment value = MemorySegment.ofArray(new byte[dtype.bytes()]);
        samples.read(sample, field, 0, value);
        return NumberConversion.integer(value, dtype);
    }

    @Override
    public void verify(long sample, int field, IntSupplier checksum) {
        Part part = partOf(sample);
        int own = part.fields()[field];
        if (own >= 0 && !part.renumbers(schema.fields().get(field))) {
            part.samples().verify(sample - part.first(), own, checksum);
        }
    }

    @Override
    public String describe(long sample) {
        Part part = partOf(sample);
        return part.samples().describe(sample - part.first());
    }

    @Override
    public String fingerprint() {
        MessageDigest digest = Fingerprints.begin();
        for (int i = 0; i < parts.size(); i++) {
            Fingerprints.add(digest, splits.get(i).name());
            Fingerprints.add(digest, parts.get(i).samples().fingerprint());
        }
        return Fingerprints.end(digest);
    }

    @Override
    public List<Omission> omissions() {
        return Omissions.together(parts.stream().map(Part::samples).toList());
    }

    @Override
    public List<FileStamp> seenFiles() {
        return parts.stream()
                .flatMap(part -> part.samples().seenFiles().stream())
                .toList();
    }

    @Override
    public void close() {
        parts.forEach(part -> part.samples().close());
    }
}
