package dev.stoker.formats.zarr.read;

import dev.stoker.formats.zarr.layout.ZarrJson;
import dev.stoker.json.Json;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The groups and arrays of a container. Metadata that is consolidated is believed, as zarr-python does; else folders are
 * listed.
 */
final class Hierarchy {
    /** Groups in groups; containers of programs have a handful. */
    static final int MAX_DEPTH = 32;
    /** Links among folders can make any number of paths of a few. */
    private static final int MAX_LISTED = 100_000;

    private final ZarrStore store;
    /** By their paths, the root's is empty. */
    private final SortedMap<String, ZarrArray> arrays = new TreeMap<>();

    private final SortedSet<String> groups = new TreeSet<>();
    private final SortedSet<String> tooDeep = new TreeSet<>();
    private int listed;
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

    SortedSet<String> groups() {
        return groups;
    }

    /** Groups that were not looked into. */
    SortedSet<String> tooDeep() {
        return tooDeep;
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
                add3(name, MetadataObject.of(store, ZarrJson.FILE + " '" + name + "'", json));
            });
            return;
        }
        list(this::addListed3);
    }

    /** Looks into all folders that are groups, each after the one that it lies in. */
    private void list(Predicate<String> isGroup) {
        var below = new ArrayDeque<String>();
        below.add("");
        while (!below.isEmpty()) {
            String folder = below.removeFirst();
            for (String child : store.children(folder)) {
                String path = ZarrStore.join(folder, child);
                if (++listed > MAX_LISTED) {
                    throw store.unsupported("has more than " + MAX_LISTED
                            + " files and folders in its groups; consolidate its metadata:"
                            + " zarr.consolidate_metadata(PATH)");
                }
                if (isGroup.test(path) && isReachable(path)) {
                    below.add(path);
                }
            }
        }
    }

    private static boolean isReachable(String path) {
        return path.chars().filter(letter -> letter == '/').count() < MAX_DEPTH;
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
            addGroup(path);
            return true;
        }
        if (isReachable(path)) {
            arrays.put(path, Zarr3Metadata.read(json, path));
        }
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
            list(this::addListed2);
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
            if (file.equals(ZarrJson.GROUP2) && !path.isEmpty()) {
                addGroup(path);
            } else if (file.equals(ZarrJson.ARRAY2) && isReachable(path)) {
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
        addGroup(path);
        return true;
    }

    private void addGroup(String path) {
        (isReachable(path) ? groups : tooDeep).add(path);
    }

    private void add2(String path, @Nullable Object json, @Nullable Object ofArray) {
        MetadataObject members = MetadataObject.of(store, ZarrStore.join(path, ZarrJson.ARRAY2), json);
        arrays.put(path, Zarr2Metadata.read(members, path, ofArray));
    }
}
