package dev.stoker.formats.zarr.read;

import dev.stoker.formats.shared.array.ColumnReader;
import dev.stoker.formats.shared.array.StokerAttribute;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Chooses how the arrays of a group are read as fields. */
final class ColumnChooser {
    private final ZarrStore store;
    private final Map<String, ZarrArray> arrays;

    ColumnChooser(ZarrStore store, Map<String, ZarrArray> arrays) {
        this.store = store;
        this.arrays = arrays;
    }

    /** The reader of an array by its own type, or null if no field has such a type. */
    @Nullable
    ColumnReader guess(ZarrArray array) {
        if (array.rank() == 0) {
            return null;
        }
        return switch (array.type()) {
            case ElementType.Number number -> new NumberColumn(new ArrayRows(store, array), number);
            case ElementType.FixedText text ->
                array.rank() == 1 ? new FixedTextColumn(new ArrayRows(store, array), text) : null;
            case ElementType.Text ignored -> texts(array);
            case ElementType.Binary ignored ->
                array.rank() == 1
                        ? new VariableColumn(new VariableElements(store, array), new FieldType.Bytes())
                        : null;
            case ElementType.Other ignored -> null;
        };
    }

    private @Nullable ColumnReader texts(ZarrArray array) {
        return switch (array.rank()) {
            case 1 -> new VariableColumn(new VariableElements(store, array), new FieldType.Text());
            case 2 -> new TextsColumn(new VariableElements(store, array), null);
            default -> null;
        };
    }

    /** The reader of a field that Stoker wrote. */
    ColumnReader written(String group, Field field, StokerAttribute.Names names) {
        ZarrArray array = array(group, names.values());
        ColumnReader reader = switch (field.type()) {
            case FieldType.Bytes bytes -> csr(group, names, array, bytes, DType.UINT8, 1);
            case FieldType.Array type -> csr(group, names, array, type, type.dtype(), type.rank());
            case FieldType.Texts ignored -> listed(group, names, array);
            default -> guess(array);
        };
        if (reader == null || !reader.type().equals(field.type())) {
            throw store.unsupported("its attribute '" + StokerAttribute.NAME + "' names a field '" + field.name()
                    + "' of type " + field.type().label() + ", but " + array.label()
                    + " is something else; delete the attribute to read the arrays as they are");
        }
        return reader;
    }

    private @Nullable ColumnReader csr(
            String group, StokerAttribute.Names names, ZarrArray array, FieldType type, DType dtype, int rank) {
        if (array.rank() != 1 || !array.type().equals(new ElementType.Number(dtype, false))) {
            return null;
        }
        ArrayRows shapes = rank > 1 ? rows(group, names.shapes()) : null;
        var offsets = new Offsets(rows(group, names.offsets()), shapes, rank, array.count());
        return new CsrColumn(new ArrayRows(store, array), offsets, type);
    }

    private @Nullable ColumnReader listed(String group, StokerAttribute.Names names, ZarrArray array) {
        return array.rank() == 1 && array.type() instanceof ElementType.Text
                ? new TextsColumn(
                        new VariableElements(store, array),
                        new Offsets(rows(group, names.offsets()), null, 1, array.count()))
                : null;
    }

    private ArrayRows rows(String group, String name) {
        ZarrArray array = array(group, name);
        if (array.rank() == 0 || array.isVariable()) {
            throw store.unsupported(array.label() + " should hold int64 offsets or shapes");
        }
        return new ArrayRows(store, array);
    }

    private ZarrArray array(String group, String name) {
        ZarrArray array = arrays.get(group + "/" + name);
        if (array == null) {
            throw store.unsupported("its attribute '" + StokerAttribute.NAME + "' names an array '" + group + "/" + name
                    + "' that does not exist; delete the attribute to read the arrays as they are");
        }
        return array;
    }
}
