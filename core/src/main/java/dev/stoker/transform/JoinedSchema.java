package dev.stoker.transform;

import dev.stoker.StokerException;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** One schema for samples of several splits: all fields of all of them, and all classes in sorted order. */
final class JoinedSchema {
    private final Map<String, Samples> splits;

    private JoinedSchema(Map<String, Samples> splits) {
        this.splits = splits;
    }

    static Schema of(Map<String, Samples> splits) {
        var joined = new JoinedSchema(splits);
        return new Schema(joined.fields(), joined.classes());
    }

    private List<Field> fields() {
        var fields = new LinkedHashMap<String, Field>();
        var owners = new LinkedHashMap<String, String>();
        splits.forEach((split, samples) -> {
            for (Field field : samples.schema().fields()) {
                Field known = fields.putIfAbsent(field.name(), field);
                if (known == null) {
                    owners.put(field.name(), split);
                } else if (!known.type().equals(field.type())) {
                    throw new StokerException("field '" + field.name() + "' is "
                            + known.type().label() + " in split '" + owners.get(field.name()) + "' but "
                            + field.type().label() + " in split '" + split
                            + "'; make them alike, or pack each split into a container of its own");
                }
            }
        });
        fields.values().forEach(this::refuseMissing);
        return List.copyOf(fields.values());
    }

    /** Refuses a field that a split lacks and that nothing can stand for. */
    private void refuseMissing(Field field) {
        splits.forEach((split, samples) -> {
            if (samples.schema().find(field.name()) >= 0) {
                return;
            }
            if (field.name().equals(Field.LABEL) && field.type() instanceof FieldType.Scalar(DType dtype)) {
                if (dtype.isUnsigned() || !dtype.isInteger()) {
                    throw new StokerException("split '" + split + "' has no labels, which is written as label "
                            + Field.NO_LABEL + ", but labels are " + dtype.label()
                            + "; give them a signed type such as int32, or pack the split by itself");
                }
            } else if (!(field.type() instanceof FieldType.Text || field.type() instanceof FieldType.Texts)) {
                throw new StokerException(
                        "field '" + field.name() + "' (" + field.type().label() + ") is missing in split '" + split
                                + "'; add it there, or take it out of the others");
            }
        });
    }

    private List<String> classes() {
        var lists = splits.values().stream()
                .map(samples -> samples.schema().classes())
                .filter(classes -> !classes.isEmpty())
                .distinct()
                .toList();
        if (lists.isEmpty()) {
            return List.of();
        }
        List<String> classes = lists.size() == 1 ? lists.getFirst() : union(lists);
        splits.forEach((split, samples) -> {
            boolean numbersAlone =
                    samples.schema().classes().isEmpty() && samples.schema().find(Field.LABEL) >= 0;
            if (numbersAlone) {
                refuseOtherNumbers(split, samples, classes, lists.size() > 1);
            }
        });
        return classes;
    }

    private static List<String> union(List<List<String>> lists) {
        var names = new TreeSet<byte[]>(Arrays::compareUnsigned);
        for (List<String> list : lists) {
            list.forEach(name -> names.add(name.getBytes(StandardCharsets.UTF_8)));
        }
        var classes = new ArrayList<String>();
        names.forEach(name -> classes.add(new String(name, StandardCharsets.UTF_8)));
        return classes;
    }

    /** Labels that are numbers without names are taken for places in the others' list of classes, if they can be. */
    private static void refuseOtherNumbers(String split, Samples samples, List<String> classes, boolean renumbered) {
        if (renumbered) {
            throw new StokerException("the labels of split '" + split
                    + "' are numbers without class names, and the other splits have different classes, so that it is"
                    + " not known what they stand for; give class names as labels in every split");
        }
        int field = samples.schema().find(Field.LABEL);
        for (long i = 0; i < samples.count(); i++) {
            long label = JoinedSplits.label(samples, i, field);
            if (label < Field.NO_LABEL || label >= classes.size()) {
                throw new StokerException("split '" + split + "' [" + samples.describe(i) + "] has label " + label
                        + " but there are only the " + classes.size()
                        + " classes of the other splits; give class names as labels in every split");
            }
        }
    }
}
