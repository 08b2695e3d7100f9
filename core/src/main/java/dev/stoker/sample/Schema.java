package dev.stoker.sample;

import dev.stoker.PublicApi;
import dev.stoker.StokerException;
import dev.stoker.UsageException;
import dev.stoker.text.Spelling;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;

/** The fields of every sample of a container, and the names of its classes: a label is a place in that list. */
@PublicApi
public record Schema(List<Field> fields, List<String> classes) {
    public Schema {
        fields = List.copyOf(fields);
        classes = List.copyOf(classes);
        if (fields.isEmpty()) {
            throw new StokerException("a schema needs at least one field");
        }
        var names = new HashSet<String>();
        for (Field field : fields) {
            if (!names.add(field.name())) {
                throw new StokerException("two fields have the name '" + field.name() + "'");
            }
        }
    }

    public Schema(List<Field> fields) {
        this(fields, List.of());
    }

    /** The place of a field, or -1. */
    public int find(String name) {
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** The place of a field that must be there. */
    public int place(String name) {
        int place = find(name);
        if (place < 0) {
            List<String> known = fields.stream().map(Field::name).toList();
            throw new UsageException("no field '" + name + "'; the fields are " + names() + Spelling.hint(name, known));
        }
        return place;
    }

    public FieldType type(int field) {
        return fields.get(field).type();
    }

    public int size() {
        return fields.size();
    }

    private String names() {
        return fields.stream().map(Field::name).collect(Collectors.joining(", "));
    }
}
