package dev.stoker.formats.zarr.read;

import dev.stoker.StokerException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An object of metadata, whose members are asked for by name and type.
 *
 * @param place the file, and the path to the object in it, for messages
 */
record MetadataObject(ZarrStore store, String place, Map<?, ?> json) {
    static MetadataObject of(ZarrStore store, String place, @Nullable Object json) {
        if (json instanceof Map<?, ?> map) {
            return new MetadataObject(store, place, map);
        }
        throw wrong(store, place, "an object", json);
    }

    private static StokerException wrong(ZarrStore store, String place, String expected, @Nullable Object found) {
        String shown = String.valueOf(found);
        return store.unsupported(place + ": expected " + expected + " but found "
                + (shown.length() > 100 ? shown.substring(0, 100) + "…" : shown));
    }

    @Nullable
    Object get(String name) {
        return json.get(name);
    }

    StokerException wrong(String name, String expected) {
        return wrong(store, place + " '" + name + "'", expected, get(name));
    }

    String text(String name) {
        if (get(name) instanceof String text) {
            return text;
        }
        throw wrong(name, "text");
    }

    long[] numbers(String name) {
        if (!(get(name) instanceof List<?> list) || list.size() > ZarrArray.MAX_RANK) {
            throw wrong(name, "a list of at most " + ZarrArray.MAX_RANK + " numbers");
        }
        long[] numbers = new long[list.size()];
        for (int i = 0; i < numbers.length; i++) {
            if (!(list.get(i) instanceof Long number) || number < 0) {
                throw wrong(name, "whole numbers of at least 0");
            }
            numbers[i] = number;
        }
        return numbers;
    }

    MetadataObject object(String name) {
        return of(store, place + " '" + name + "'", get(name));
    }

    /** A list of objects; none if it is null or missing. */
    List<MetadataObject> objects(String name) {
        var objects = new ArrayList<MetadataObject>();
        if (get(name) == null) {
            return objects;
        }
        if (!(get(name) instanceof List<?> list)) {
            throw wrong(name, "a list");
        }
        for (Object entry : list) {
            // Zarr 3 lets a name stand for an object that has nothing else.
            Object object = entry instanceof String text ? Map.of("name", text) : entry;
            objects.add(of(store, place + " '" + name + "'", object));
        }
        return objects;
    }

    /** The settings of something that has a name and may have settings. */
    MetadataObject configuration() {
        return get("configuration") == null ? new MetadataObject(store, place, Map.of()) : object("configuration");
    }

    String textOr(String name, String otherwise) {
        return get(name) == null ? otherwise : text(name);
    }
}
