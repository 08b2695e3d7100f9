package dev.stoker.feed;

import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.dataset.Dataset;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.text.Spelling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The fields that batches of some datasets can have: those of all of them together, decoded or padded as asked. */
record BatchFields(
        List<Dataset> datasets, Map<String, Supplier<? extends Decoder>> decoders, Map<String, Long> paddings) {
    /** The schema of batches that have these fields. */
    Schema schema(BatchField[] batchFields) {
        List<String> classes = datasets.getFirst().schema().classes();
        boolean same =
                datasets.stream().allMatch(data -> data.schema().classes().equals(classes));
        var all = new ArrayList<Field>();
        for (BatchField field : batchFields) {
            all.add(field.field());
        }
        return new Schema(all, same ? classes : List.of());
    }

    /** The fields of those names, or all if there are none. */
    BatchField[] choose(@Nullable List<String> names) {
        var types = new LinkedHashMap<String, FieldType>();
        for (Dataset dataset : datasets) {
            for (Field field : dataset.schema().fields()) {
                FieldType other = types.putIfAbsent(field.name(), field.type());
                if (other != null && !other.equals(field.type())) {
                    throw new StokerException("field '" + field.name() + "' is " + other.label()
                            + " in one dataset and " + field.type().label()
                            + " in another; choose other fields, or give it another name when packing");
                }
            }
        }
        requireKnown(types, decoders.keySet());
        requireKnown(types, paddings.keySet());
        List<String> chosen = names == null ? List.copyOf(types.keySet()) : names;
        requireKnown(types, chosen);
        return chosen.stream().map(name -> batchField(name, types.get(name))).toArray(BatchField[]::new);
    }

    private BatchField batchField(String name, @Nullable FieldType type) {
        int[] sources =
                datasets.stream().mapToInt(data -> data.schema().find(name)).toArray();
        FieldType stored = Objects.requireNonNull(type);
        Supplier<? extends Decoder> decoder = decoders.get(name);
        if (decoder != null) {
            try (Decoder one = decoder.get()) {
                return new BatchField(new Field(name, one.output()), sources, decoder, BatchField.NONE);
            }
        }
        long padding = stored.isFixed() ? BatchField.NONE : paddings.getOrDefault(name, BatchField.NONE);
        if (padding != BatchField.NONE && stored instanceof FieldType.Array array && array.rank() > 1) {
            throw new StokerException("field '" + name + "' of type " + stored.label()
                    + " cannot be padded: only values of one dimension can");
        }
        return new BatchField(new Field(name, stored), sources, null, padding);
    }

    private static void requireKnown(Map<String, FieldType> types, Iterable<String> names) {
        for (String name : names) {
            if (!types.containsKey(name)) {
                throw new UsageException("no field '" + name + "'; the fields are " + String.join(", ", types.keySet())
                        + Spelling.hint(name, types.keySet()));
            }
        }
    }
}
