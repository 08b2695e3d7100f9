package dev.stoker.formats.shared.array;

import dev.stoker.json.Expect;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What formats of groups and arrays have no place for: the root group's attribute {@code stoker}, as JSON.
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
public record StokerAttribute(String layout, Schema schema, List<Names> names, List<String> splits) {
    public static final String NAME = "stoker";

    /** The arrays of a field; the last two are there only where the layout has them. */
    public record Names(String values, String offsets, String shapes) {}

    public static Map<String, @Nullable Object> of(Samples samples, String layout, DiskNames names) {
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
        all.put("layout", layout);
        all.put("fields", fields);
        all.put("splits", samples.splits().stream().map(Split::name).toList());
        all.put("classes", schema.classes());
        return all;
    }

    /** Reads what {@link #of} gave, when it was written as JSON and parsed. */
    public static StokerAttribute read(String file, @Nullable Object all) {
        String place = place(file);
        var fields = new ArrayList<Field>();
        var names = new ArrayList<Names>();
        for (Object entry : Expect.list(place, Expect.member(place, all, "fields"))) {
            fields.add(new Field(
                    Expect.text(place, Expect.member(place, entry, "name")),
                    FieldType.of(Expect.text(place, Expect.member(place, entry, "type")))));
            names.add(new Names(
                    Expect.text(place, Expect.member(place, entry, "dataset")),
                    Expect.text(place, Expect.member(place, entry, "offsets")),
                    Expect.text(place, Expect.member(place, entry, "shape"))));
        }
        String layout = Expect.text(place, Expect.member(place, all, "layout"));
        var schema = new Schema(fields, Expect.texts(place, Expect.member(place, all, "classes")));
        return new StokerAttribute(layout, schema, names, Expect.texts(place, Expect.member(place, all, "splits")));
    }

    /** For messages. */
    public static String place(String file) {
        return file + ", attribute '" + NAME + "'";
    }
}
