package dev.stoker.format;

import dev.stoker.PublicApi;
import dev.stoker.UsageException;
import dev.stoker.sample.Field;
import dev.stoker.sample.Schema;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How a container is to be laid out, where a format leaves a choice.
 *
 * @param names for fields that the container itself should name otherwise: field to name, as {@code data=image_data}
 * @param settings the format's own settings by their names
 */
@PublicApi
public record FormatOptions(Map<String, String> names, Map<String, String> settings) {
    public static final FormatOptions NONE = new FormatOptions(Map.of(), Map.of());

    public FormatOptions {
        // Sorted, so that the same options read the same everywhere.
        names = new TreeMap<>(names);
        settings = new TreeMap<>(settings);
    }

    /** The name of a field inside the container. */
    public String nameOf(String field) {
        return names.getOrDefault(field, field);
    }

    /** The fields as the container names them; two of one name are refused. */
    public Schema renamed(Schema schema) {
        var fields = new ArrayList<Field>();
        for (Field field : schema.fields()) {
            fields.add(new Field(nameOf(field.name()), field.type()));
        }
        return new Schema(fields, schema.classes());
    }

    /** The same for a format that tells some fields by their place: these keep their names. */
    public Schema renamed(Schema schema, String format, Set<String> nameless) {
        for (Field field : schema.fields()) {
            String name = nameOf(field.name());
            if (nameless.contains(field.name()) && !name.equals(field.name())) {
                throw new UsageException("format " + format + " stores no name for the field '" + field.name()
                        + "', so it can't be renamed to '" + name + "'; leave out --name " + field.name() + "=" + name);
            }
        }
        return renamed(schema);
    }

    public @Nullable String setting(String name) {
        return settings.get(name);
    }

    /** A setting that is a whole number of at least 1. */
    public long count(String name, long otherwise) {
        String value = settings.get(name);
        if (value == null) {
            return otherwise;
        }
        try {
            long count = Long.parseLong(value);
            if (count >= 1) {
                return count;
            }
        } catch (NumberFormatException e) {
            // Refused below, as zero is.
        }
        throw new UsageException("--" + name + " takes a whole number of at least 1, not '" + value + "'");
    }

    /** Refuses settings that the format does not have. */
    public void requireOnly(String format, Set<String> valid) {
        var unknown = new TreeSet<>(settings.keySet());
        unknown.removeAll(valid);
        if (!unknown.isEmpty()) {
            throw new UsageException("format " + format + " has no setting --" + unknown.first()
                    + (valid.isEmpty() ? "; it has none" : "; it has --" + String.join(", --", new TreeSet<>(valid))));
        }
    }
}
