package dev.stoker.formats.hdf5;

import dev.stoker.StokerException;
import dev.stoker.json.Json;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What HDF5 has no place for: the root group's attribute {@code stoker}, or a dataset of that name where it outgrows an
 * attribute.
 *
 * <pre>
 * {"layout": "vlen",
 *  "fields": [{"name": "data", "type": "bytes", "dataset": "images", "offsets": "images_offsets", "shape": ...}, ...],
 *  "splits": ["train", "val"],
 *  "classes": ["n01440764", ...]}
 * </pre>
 *
 * @param splits the groups in their order; empty if all samples are in one group and in no split
 */
record StokerAttribute(Layout layout, Schema schema, List<Names> names, List<String> splits) {
    static final String NAME = "stoker";
    /** Longer ones are a dataset: an attribute with its name and type has at most 65535 bytes. */
    static final int MAX_BYTES = 60_000;

    /** The datasets of a field; the last two are there only where the layout has them. */
    record Names(String values, String offsets, String shapes) {}

    static byte[] write(Samples samples, Layout layout, DiskNames names) {
        Schema schema = samples.schema();
        var fields = new ArrayList<Map<String, @Nullable Object>>();
        for (int f = 0; f < schema.size(); f++) {
            var entry = new LinkedHashMap<String, @Nullable Object>();
            entry.put("name", schema.fields().get(f).name());
            entry.put("type", schema.type(f).label());
            entry.put("dataset", names.values(f));
            entry.put("offsets", names.offsets(f));
            entry.put("shape", names.shapes(f));
            fields.add(entry);
        }
        var all = new LinkedHashMap<String, @Nullable Object>();
        all.put("layout", layout.name().toLowerCase(java.util.Locale.ROOT));
        all.put("fields", fields);
        all.put("splits", samples.splits().stream().map(Split::name).toList());
        all.put("classes", schema.classes());
        return Json.write(all).getBytes(StandardCharsets.UTF_8);
    }

    static StokerAttribute read(String file, byte[] json) {
        String place = file + ", attribute '" + NAME + "'";
        Object all = Json.parse(new ByteArrayInputStream(json), place, json.length);
        var fields = new ArrayList<Field>();
        var names = new ArrayList<Names>();
        for (Object entry : list(place, member(place, all, "fields"))) {
            fields.add(new Field(
                    text(place, member(place, entry, "name")),
                    FieldType.of(text(place, member(place, entry, "type")))));
            names.add(new Names(
                    text(place, member(place, entry, "dataset")),
                    text(place, member(place, entry, "offsets")),
                    text(place, member(place, entry, "shape"))));
        }
        Layout layout = layout(place, text(place, member(place, all, "layout")));
        var schema = new Schema(fields, texts(place, member(place, all, "classes")));
        return new StokerAttribute(layout, schema, names, texts(place, member(place, all, "splits")));
    }

    private static Layout layout(String place, String name) {
        for (Layout layout : Layout.values()) {
            if (layout.name().equalsIgnoreCase(name)) {
                return layout;
            }
        }
        throw wrong(place, "layout vlen, csr or fixed", name);
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

    private static List<String> texts(String place, @Nullable Object value) {
        var texts = new ArrayList<String>();
        for (Object text : list(place, value)) {
            texts.add(text(place, text));
        }
        return texts;
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
