package dev.stoker.formats.arrow;

import dev.stoker.StokerException;
import dev.stoker.format.Options;
import dev.stoker.json.Json;
import dev.stoker.sample.Field;
import dev.stoker.sample.Schema;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What Arrow's schema has no place for, under the key {@code stoker} of the schema's metadata.
 *
 * <pre>
 * {"fields": [{"name": "data", "type": "bytes", "column": "image_data"}, ...], "classes": ["n01440764", ...]}
 * </pre>
 *
 * Types are given for people; the columns' own are what counts, since other software may have changed them and kept the
 * metadata.
 *
 * @param fieldOfColumn the names of fields by those of their columns
 */
record StokerMetadata(Map<String, String> fieldOfColumn, List<String> classes) {
    static final String KEY = "stoker";
    static final StokerMetadata NONE = new StokerMetadata(Map.of(), List.of());

    static String write(Schema schema, Options options) {
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

    static StokerMetadata read(String file, String json) {
        byte[] utf8 = json.getBytes(StandardCharsets.UTF_8);
        String place = file + ", metadata '" + KEY + "'";
        Object parsed = Json.parse(new ByteArrayInputStream(utf8), place, utf8.length);
        var names = new HashMap<String, String>();
        for (Object entry : list(place, member(place, parsed, "fields"))) {
            names.put(text(place, member(place, entry, "column")), text(place, member(place, entry, "name")));
        }
        var classes = new ArrayList<String>();
        for (Object name : list(place, member(place, parsed, "classes"))) {
            classes.add(text(place, name));
        }
        return new StokerMetadata(names, classes);
    }

    private static @Nullable Object member(String place, @Nullable Object object, String name) {
        if (object instanceof Map<?, ?> map) {
            return map.get(name);
        }
        throw wrong(place, "an object with '" + name + "'", object);
    }

    private static List<?> list(String place, @Nullable Object value) {
        if (value instanceof List<?> list) {
            return list;
        }
        throw wrong(place, "a list", value);
    }

    private static String text(String place, @Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw wrong(place, "text", value);
    }

    private static StokerException wrong(String place, String expected, @Nullable Object found) {
        return new StokerException("[" + place + "] expected " + expected + " but found " + found);
    }
}
