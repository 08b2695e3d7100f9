package dev.stoker.formats.shared.table;

import dev.stoker.StokerException;
import dev.stoker.format.FormatOptions;
import dev.stoker.json.Expect;
import dev.stoker.json.Json;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the schema of a table has no place for, under the key {@code stoker} of its metadata.
 *
 * <pre>
 * {"fields": [{"name": "data", "type": "bytes", "column": "image_data"}, ...], "classes": ["n01440764", ...]}
 * </pre>
 *
 * A type counts only where the column can hold it: other software may have changed columns and kept the metadata.
 *
 * @param ofColumn what is said of columns, by their names
 */
public record ColumnMetadata(Map<String, Named> ofColumn, List<String> classes) {
    public static final String KEY = "stoker";
    public static final ColumnMetadata NONE = new ColumnMetadata(Map.of(), List.of());

    /**
     * The field that a column holds.
     *
     * @param type as it is written
     */
    public record Named(String place, String name, String type) {
        /** The field with its type, which is refused if there is no such type. */
        public Field field() {
            try {
                return new Field(name, FieldType.of(type));
            } catch (StokerException e) {
                throw new StokerException(place, String.valueOf(e.getMessage()), e);
            }
        }
    }

    public static String write(Schema schema, FormatOptions options) {
        var fields = new ArrayList<Map<String, @Nullable Object>>();
        for (Field field : schema.fields()) {
            var entry = new LinkedHashMap<String, @Nullable Object>();
            entry.put("name", field.name());
            entry.put("type", field.type().label());
            entry.put("column", options.nameOf(field.name()));
            fields.add(entry);
        }
        var all = new LinkedHashMap<String, @Nullable Object>();
        all.put("fields", fields);
        all.put("classes", schema.classes());
        return Json.write(all);
    }

    /** @param file its name, for messages */
    public static ColumnMetadata read(String file, byte[] json) {
        String place = file + ", metadata '" + KEY + "'";
        Object parsed = Json.parse(new ByteArrayInputStream(json), place, json.length);
        var ofColumn = new HashMap<String, Named>();
        for (Object entry : Expect.list(place, Expect.member(place, parsed, "fields"))) {
            String name = Expect.text(place, Expect.member(place, entry, "name"));
            String type = Expect.text(place, Expect.member(place, entry, "type"));
            ofColumn.put(Expect.text(place, Expect.member(place, entry, "column")), new Named(place, name, type));
        }
        return new ColumnMetadata(ofColumn, Expect.texts(place, Expect.member(place, parsed, "classes")));
    }
}
