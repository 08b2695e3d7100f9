package dev.stoker.formats.zarr.layout;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The metadata of groups, as Zarr 3 has it. */
public final class ZarrJson {
    /** The file that holds the metadata of a group or array. */
    public static final String FILE = "zarr.json";

    /** The same in Zarr 2: of an array, of a group, their attributes, and all of these in one. */
    public static final String ARRAY2 = ".zarray";

    public static final String GROUP2 = ".zgroup";
    public static final String ATTRIBUTES2 = ".zattrs";
    public static final String ALL2 = ".zmetadata";

    private ZarrJson() {}

    public static boolean isMetadata(String name) {
        return name.equals(FILE)
                || name.equals(ARRAY2)
                || name.equals(GROUP2)
                || name.equals(ATTRIBUTES2)
                || name.equals(ALL2);
    }

    public static Map<String, @Nullable Object> group(Map<String, ?> attributes) {
        var json = new LinkedHashMap<String, @Nullable Object>();
        json.put("zarr_format", 3);
        json.put("node_type", "group");
        json.put("attributes", attributes);
        return json;
    }

    /** The root group, which has the metadata of everything below it too: readers then open one file. */
    public static Map<String, @Nullable Object> root(Map<String, ?> attributes, Map<String, @Nullable Object> below) {
        var consolidated = new LinkedHashMap<String, @Nullable Object>();
        consolidated.put("kind", "inline");
        consolidated.put("must_understand", false);
        consolidated.put("metadata", below);
        Map<String, @Nullable Object> json = group(attributes);
        json.put("consolidated_metadata", consolidated);
        return json;
    }
}
