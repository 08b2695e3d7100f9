package dev.stoker.formats.zarr.read;

import dev.stoker.StokerException;
import dev.stoker.formats.shared.array.ArrayGroup;
import dev.stoker.formats.shared.array.ColumnReader;
import dev.stoker.formats.shared.array.Groups;
import dev.stoker.formats.shared.array.StokerAttribute;
import dev.stoker.formats.zarr.write.ZarrContents;
import dev.stoker.index.IndexBuilder;
import dev.stoker.sample.Field;
import dev.stoker.sample.Omission;
import dev.stoker.sample.Omissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

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

    /** By other software: the arrays of some groups are the fields, each of these groups a split. */
    private IndexBuilder foreign(Hierarchy hierarchy, ColumnChooser columns) {
        var omissions = new Omissions();
        var fields = new LinkedHashMap<String, Map<String, ColumnReader>>();
        fields.put("", new LinkedHashMap<>());
        hierarchy.groups().forEach(group -> fields.put(group, new LinkedHashMap<>()));
        hierarchy.arrays().forEach((path, array) -> {
            int slash = path.lastIndexOf('/');
            ColumnReader reader = columns.guess(array);
            if (reader == null) {
                omissions.add(
                        path.isEmpty() ? "/" : path,
                        "array of type " + array.type().label(),
                        array.rank() == 0 ? "it is a single value" : Omission.NO_SUCH_TYPE);
            } else {
                // A container that is one array has no name for it.
                fields.computeIfAbsent(path.substring(0, Math.max(0, slash)), _ -> new LinkedHashMap<>())
                        .put(path.isEmpty() ? Field.DATA : path.substring(slash + 1), reader);
            }
        });
        hierarchy
                .tooDeep()
                .forEach(group ->
                        omissions.add(group, "group", "it is more than " + Hierarchy.MAX_DEPTH + " groups deep"));
        var found = new ArrayList<ArrayGroup<ColumnReader>>();
        fields.forEach((group, arrays) -> found.add(new ArrayGroup<>(group, arrays)));
        return new Groups(store).foreign(found.removeFirst(), found, omissions);
    }
}
