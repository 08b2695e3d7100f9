package dev.stoker.formats.hdf5.read;

import dev.stoker.CorruptContainerException;
import dev.stoker.StokerException;
import dev.stoker.formats.hdf5.structure.DatasetHeader;
import dev.stoker.formats.hdf5.structure.Datatype;
import dev.stoker.formats.hdf5.structure.FileBytes;
import dev.stoker.formats.hdf5.structure.GlobalHeap;
import dev.stoker.formats.hdf5.structure.VlenLayout;
import dev.stoker.formats.shared.array.ColumnReader;
import dev.stoker.formats.shared.array.StokerAttribute;
import dev.stoker.formats.shared.array.StokerAttribute.Names;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Chooses how the datasets of a group are read as fields. */
final class ColumnChooser {
    private static final Datatype.Number BYTE = new Datatype.Number(DType.UINT8, false);

    private final GlobalHeap heap;

    ColumnChooser(GlobalHeap heap) {
        this.heap = heap;
    }

    /**
     * The readers of a dataset by the names of their fields, or none if no field has such a type. A dataset that Stoker
     * cannot read is refused only if it is one of the samples'.
     */
    Map<String, ColumnReader> guess(String name, DatasetHeader dataset) {
        try {
            if (dataset.type() instanceof Datatype.Compound compound) {
                var named = new LinkedHashMap<String, ColumnReader>();
                guessMembers(dataset, compound).forEach((member, reader) -> named.put(name + "." + member, reader));
                return named;
            }
            ColumnReader reader = guess(dataset);
            return reader == null ? Map.of() : Map.of(name, reader);
        } catch (CorruptContainerException e) {
            throw e;
        } catch (StokerException e) {
            return Map.of(name, RefusedColumn.of(dataset, e));
        }
    }

    /** The reader of a dataset by its own type, or null if no field has such a type. */
    @Nullable
    ColumnReader guess(DatasetHeader dataset) {
        return dataset.rank() == 0 ? null : guess(dataset, () -> RowsReader.of(dataset));
    }

    /** The readers of all members of a dataset of records; of those that no field has the type of none. */
    Map<String, ColumnReader> guessMembers(DatasetHeader dataset, Datatype.Compound compound) {
        var readers = new LinkedHashMap<String, ColumnReader>();
        if (dataset.rank() != 1) {
            return readers;
        }
        DatasetRows records = RowsReader.of(dataset);
        for (Datatype.Compound.Member member : compound.members()) {
            ColumnReader reader = guess(dataset.member(member), () -> new MemberRows(records, member));
            if (reader != null) {
                readers.put(member.name(), reader);
            }
        }
        return readers;
    }

    private @Nullable ColumnReader guess(DatasetHeader dataset, Supplier<DatasetRows> rows) {
        return switch (dataset.type()) {
            case Datatype.Number number -> fixed(dataset, rows.get(), number, List.of());
            case Datatype.Tensor tensor ->
                tensor.element() instanceof Datatype.Number number
                        ? fixed(dataset, rows.get(), number, tensor.shape())
                        : null;
            case Datatype.FixedText text -> dataset.rank() == 1 ? new FixedTextColumn(rows.get(), text) : null;
            case Datatype.HeapText ignored -> texts(dataset, rows.get());
            case Datatype.Sequence sequence -> dataset.rank() == 1 ? sequence(rows.get(), sequence.element()) : null;
            case Datatype.Compound ignored -> null;
            case Datatype.Other ignored -> null;
        };
    }

    private static ColumnReader fixed(
            DatasetHeader dataset, DatasetRows rows, Datatype.Number number, List<Long> inner) {
        return new FixedColumn(rows, fixedType(dataset, number, inner), number);
    }

    static FieldType fixedType(DatasetHeader dataset, Datatype.Number number, List<Long> inner) {
        var shape = new ArrayList<Long>();
        Arrays.stream(dataset.dimensions()).skip(1).forEach(shape::add);
        shape.addAll(inner);
        return shape.isEmpty() ? new FieldType.Scalar(number.dtype()) : new FieldType.Tensor(number.dtype(), shape);
    }

    private @Nullable ColumnReader texts(DatasetHeader dataset, DatasetRows rows) {
        return switch (dataset.rank()) {
            case 1 -> new HeapColumn(rows, heap, new FieldType.Text(), BYTE, null);
            case 2 -> new TextsColumn(rows, heap);
            default -> null;
        };
    }

    private @Nullable ColumnReader sequence(DatasetRows rows, Datatype element) {
        if (element instanceof Datatype.HeapText) {
            return new TextsColumn(rows, heap);
        }
        if (!(element instanceof Datatype.Number number)) {
            return null;
        }
        FieldType type = number.dtype() == DType.UINT8 ? new FieldType.Bytes() : new FieldType.Array(number.dtype(), 1);
        return new HeapColumn(rows, heap, type, number, null);
    }

    /** The reader of a field that Stoker wrote. */
    ColumnReader written(
            Field field, Names names, VlenLayout layout, Map<String, DatasetHeader> group, FileBytes file) {
        DatasetHeader dataset = dataset(names.values(), group, file);
        ColumnReader reader = switch (field.type()) {
            case FieldType.Bytes bytes -> variable(bytes, DType.UINT8, 1, names, layout, group, file);
            case FieldType.Array array -> variable(array, array.dtype(), array.rank(), names, layout, group, file);
            default -> guess(dataset);
        };
        if (reader == null || !reader.type().equals(field.type())) {
            throw other(field, dataset);
        }
        return reader;
    }

    private @Nullable ColumnReader variable(
            FieldType type,
            DType dtype,
            int rank,
            Names names,
            VlenLayout layout,
            Map<String, DatasetHeader> group,
            FileBytes file) {
        DatasetHeader dataset = dataset(names.values(), group, file);
        if (layout == VlenLayout.FIXED) {
            long[] shape = Arrays.copyOfRange(dataset.dimensions(), Math.min(1, dataset.rank()), dataset.rank());
            return dataset.type() instanceof Datatype.Number number && number.dtype() == dtype && shape.length == rank
                    ? new FixedColumn(RowsReader.of(dataset), type, number, shape)
                    : null;
        }
        ShapesDataset shapes =
                rank > 1 ? new ShapesDataset(RowsReader.of(dataset(names.shapes(), group, file)), rank) : null;
        if (layout == VlenLayout.CSR) {
            DatasetRows offsets = RowsReader.of(dataset(names.offsets(), group, file));
            return dataset.type() instanceof Datatype.Number number && number.dtype() == dtype && !number.bigEndian()
                    ? new CsrColumn(RowsReader.of(dataset), offsets, type, shapes)
                    : null;
        }
        return dataset.type() instanceof Datatype.Sequence sequence
                        && sequence.element() instanceof Datatype.Number number
                        && number.dtype() == dtype
                        && dataset.rank() == 1
                ? new HeapColumn(RowsReader.of(dataset), heap, type, number, shapes)
                : null;
    }

    private static DatasetHeader dataset(String name, Map<String, DatasetHeader> group, FileBytes file) {
        DatasetHeader dataset = group.get(name);
        if (dataset == null) {
            throw file.unsupported("its attribute '" + StokerAttribute.NAME + "' tells of a dataset '" + name
                    + "' that is not there; delete the attribute to read the file as it is");
        }
        return dataset;
    }

    private static StokerException other(Field field, DatasetHeader dataset) {
        return dataset.file()
                .unsupported("its attribute '" + StokerAttribute.NAME + "' tells of a field '"
                        + field.name() + "' of type " + field.type().label() + ", but that is " + dataset.label()
                        + "; delete the attribute to read the file as it is");
    }
}
