package dev.stoker.formats.zarr.read;

import dev.stoker.formats.zarr.layout.ZarrJson;
import dev.stoker.json.Json;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The groups and arrays of a container, as deep as samples lie: arrays of the root, and of the groups there. Metadata
 * that is consolidated is believed, as zarr-python does; else folders are listed.
 */
final class Hierarchy {
    private final ZarrStore store;
    /** By their paths, the root's is empty. */
    private final SortedMap<String, ZarrArray> arrays = new TreeMap<>();

    private final SortedMap<String, Boolean> groups = new TreeMap<>();
    private @Nullable Object attributes;

    private Hierarchy(ZarrStore store) {
        this.store = store;
    }

    static Hierarchy read(ZarrStore store) {
        var hierarchy = new Hierarchy(store);
        Object root = hierarchy.document(ZarrJson.FILE);
        if (root != null) {
            hierarchy.read3(MetadataObject.of(store, ZarrJson.FILE, root));
        } else {
            hierarchy.read2();
        }
        return hierarchy;
    }

    SortedMap<String, ZarrArray> arrays() {
        return arrays;
    }

    Iterable<String> groups() {
        return groups.keySet();
    }

    /** An attribute of the root, or null. */
    @Nullable
    Object attribute(String name) {
        return attributes instanceof Map<?, ?> map ? map.get(name) : null;
    }

    private @Nullable Object document(String key) {
        MemorySegment bytes = store.metadata(key);
        return bytes == null ? null : Json.parse(bytes.toArray(ValueLayout.JAVA_BYTE), store.name() + ", " + key);
    }

    private void read3(MetadataObject root) {
        attributes = root.get("attributes");
        if (root.get("zarr_format") == null || !Long.valueOf(3).equals(root.get("zarr_format"))) {
            throw root.wrong("zarr_format", "3");
        }
        if (root.text("node_type").equals("array")) {
            add3("", root);
            return;
        }
        if (root.get("consolidated_metadata") != null) {
            root.object("consolidated_metadata").object("metadata").json().forEach((path, json) -> {
                String name = String.valueOf(path);
                requirePath(name);
                if (isShallow(name)) {
                    add3(name, MetadataObject.of(store, ZarrJson.FILE + " '" + name + "'", json));
                }
            });
            return;
        }
        for (String child : store.children("")) {
            if (addListed3(child)) {
                store.children(child).forEach(grandchild -> addListed3(child + "/" + grandchild));
            }
        }
    }

    private static boolean isShallow(String path) {
        int slash = path.indexOf('/');
        return slash < 0 || path.indexOf('/', slash + 1) < 0;
    }

    /** Consolidated metadata may hold any names, but only those of folders can be real. */
    private void requirePath(String path) {
        for (String name : path.split("/", -1)) {
            if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('\0') >= 0) {
                throw store.corrupt(-1, "its metadata names '" + path + "', which is not a path in it");
            }
        }
    }

    /** Whether it is a group. */
    private boolean addListed3(String path) {
        String key = path + "/" + ZarrJson.FILE;
        Object json = document(key);
        return json != null && add3(path, MetadataObject.of(store, key, json));
    }

    private boolean add3(String path, MetadataObject json) {
        if (json.text("node_type").equals("group")) {
            groups.put(path, true);
            return true;
        }
        arrays.put(path, Zarr3Metadata.read(json, path));
        return false;
    }

    private void read2() {
        attributes = document(ZarrJson.ATTRIBUTES2);
        Object all = document(ZarrJson.ALL2);
        Object array = document(ZarrJson.ARRAY2);
        if (array != null) {
            add2("", array, attributes);
        } else if (all != null) {
            readAll2(MetadataObject.of(store, ZarrJson.ALL2, all)
                    .object("metadata")
                    .json());
        } else if (document(ZarrJson.GROUP2) != null) {
            for (String child : store.children("")) {
                if (addListed2(child)) {
                    store.children(child).forEach(grandchild -> addListed2(child + "/" + grandchild));
                }
            }
        } else {
            throw store.unsupported("has neither " + ZarrJson.FILE + " nor " + ZarrJson.GROUP2 + " nor "
                    + ZarrJson.ARRAY2
                    + " at its top, so it is not a Zarr container; if they lie in a folder in it, give"
                    + " that");
        }
    }

    private void readAll2(Map<?, ?> documents) {
        documents.forEach((key, json) -> {
            String name = String.valueOf(key);
            int end = name.lastIndexOf('/');
            String path = end < 0 ? "" : name.substring(0, end);
            String file = name.substring(end + 1);
            requirePath(name);
            if (file.equals(ZarrJson.GROUP2) && isShallow(path) && !path.isEmpty()) {
                groups.put(path, true);
            } else if (file.equals(ZarrJson.ARRAY2) && isShallow(path)) {
                add2(path, json, documents.get(ZarrStore.join(path, ZarrJson.ATTRIBUTES2)));
            } else if (name.equals(ZarrJson.ATTRIBUTES2)) {
                attributes = json;
            }
        });
    }

    /** Whether it is a group. */
    private boolean addListed2(String path) {
        Object array = document(path + "/" + ZarrJson.ARRAY2);
        if (array != null) {
            add2(path, array, document(path + "/" + ZarrJson.ATTRIBUTES2));
            return false;
        }
        if (document(path + "/" + ZarrJson.GROUP2) == null) {
            return false;
        }
        groups.put(path, true);
        return true;
    }

    private void add2(String path, @Nullable Object json, @Nullable Object ofArray) {
        MetadataObject members = MetadataObject.of(store, ZarrStore.join(path, ZarrJson.ARRAY2), json);
        arrays.put(path, Zarr2Metadata.read(members, path, ofArray));
    }
}
