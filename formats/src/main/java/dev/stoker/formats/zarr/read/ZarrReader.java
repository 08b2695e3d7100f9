package dev.stoker.formats.zarr.read;

import dev.stoker.StokerException;
import dev.stoker.formats.shared.array.ColumnReader;
import dev.stoker.formats.shared.array.Groups;
import dev.stoker.formats.shared.array.Groups.Group;
import dev.stoker.formats.shared.array.StokerAttribute;
import dev.stoker.formats.zarr.write.ZarrContents;
import dev.stoker.index.IndexBuilder;
import dev.stoker.sample.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Derives the Index of a container: which groups are splits, which arrays are fields, and where their values lie. */
public final class ZarrReader {
    private final ZarrStore store;

    public ZarrReader(ZarrStore store) {
        this.store = store;
    }

    public IndexBuilder derive() {
        try {
            Hierarchy hierarchy = Hierarchy.read(store);
            var columns = new ColumnChooser(store, hierarchy.arrays());
            Object stoker = hierarchy.attribute(StokerAttribute.NAME);
            return stoker == null
                    ? foreign(hierarchy, columns)
                    : written(StokerAttribute.read(store.name(), stoker), columns);
        } catch (ArithmeticException e) {
            StokerException corrupt =
                    store.corrupt(-1, "its numbers make sizes of 2^63 bytes and more; the metadata is damaged");
            corrupt.initCause(e);
            throw corrupt;
        } catch (StokerException e) {
            // What a schema or a type refuses does not know the file.
            throw e.in(store.name());
        }
    }

    private IndexBuilder written(StokerAttribute stoker, ColumnChooser columns) {
        if (!stoker.layout().equals(ZarrContents.LAYOUT)) {
            throw store.unsupported("its attribute '" + StokerAttribute.NAME + "' has layout '" + stoker.layout()
                    + "'; expected " + ZarrContents.LAYOUT);
        }
        return new Groups(store).written(stoker, group -> {
            var readers = new ArrayList<ColumnReader>();
            for (int f = 0; f < stoker.schema().size(); f++) {
                readers.add(columns.written(
                        group, stoker.schema().fields().get(f), stoker.names().get(f)));
            }
            return readers;
        });
    }

    /** By other software: the root's arrays are the fields, or else those of its groups, each a split. */
    private IndexBuilder foreign(Hierarchy hierarchy, ColumnChooser columns) {
        var leftOut = new TreeSet<String>();
        Group whole = group("", hierarchy, columns, leftOut);
        if (whole != null) {
            return new Groups(store).whole(whole);
        }
        var found = new ArrayList<Group>();
        for (String name : hierarchy.groups()) {
            Group group = name.indexOf('/') < 0 ? group(name, hierarchy, columns, leftOut) : null;
            if (group != null) {
                found.add(group);
            }
        }
        if (found.isEmpty()) {
            throw store.unsupported("neither its root nor the groups there have arrays that Stoker reads as samples"
                    + (leftOut.isEmpty() ? "" : "; left out: " + String.join(", ", leftOut)));
        }
        return new Groups(store).splits(found);
    }

    private static @Nullable Group group(String name, Hierarchy hierarchy, ColumnChooser columns, Set<String> leftOut) {
        var fields = new LinkedHashMap<String, ColumnReader>();
        hierarchy.arrays().forEach((path, array) -> {
            int slash = path.lastIndexOf('/');
            if (!path.substring(0, Math.max(0, slash)).equals(name)) {
                return;
            }
            ColumnReader reader = columns.guess(array);
            if (reader == null) {
                leftOut.add(array.label());
            } else {
                // A container that is one array has no name for it.
                fields.put(path.isEmpty() ? Field.DATA : path.substring(slash + 1), reader);
            }
        });
        return fields.isEmpty() ? null : new Group(name, fields);
    }
}
