package dev.stoker.manifest;

import dev.stoker.StokerException;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.listing.ListedArrays;
import dev.stoker.listing.ListedColumn;
import dev.stoker.listing.ListedNumbers;
import dev.stoker.listing.ListedValues;
import dev.stoker.manifest.ManifestCell.Kind;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.TextList;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Makes fields of a manifest's columns. A column's type is found over all its rows: int64, float64, bool or text[] if
 * every value is that, else text. Where rows of the same path differ, a sample has the values of all of them, in the
 * order of the rows: text[], or an array of numbers.
 *
 * <p>A value that is missing is an empty text, an empty list or NaN, and for a label {@link Field#NO_LABEL}; other
 * numbers have nothing that could stand for it, so there it is an error.
 */
final class ManifestFields {
    private final ManifestRows rows;
    private final ManifestGroups groups;
    private final List<Field> fields;
    private final List<ListedColumn> columns;
    private List<String> classes = List.of();

    /** Fields and columns are added to the lists given, so that whoever owns those closes what was made. */
    ManifestFields(ManifestRows rows, ManifestGroups groups, List<Field> fields, List<ListedColumn> columns) {
        this.rows = rows;
        this.groups = groups;
        this.fields = fields;
        this.columns = columns;
    }

    List<String> classes() {
        return classes;
    }

    /** Adds all columns, the label first. */
    void addAll() {
        for (ManifestColumn column : rows.columns()) {
            if (column.name().equals(Field.LABEL)) {
                addLabel(column);
            }
        }
        for (ManifestColumn column : rows.columns()) {
            if (!column.name().equals(Field.LABEL)) {
                add(column);
            }
        }
    }

    private void addLabel(ManifestColumn column) {
        long different = firstDifferent(column);
        if (different >= 0) {
            throw severalLabels(column, different);
        }
        refuseMixedLabels(column);
        FieldType type = type(column.kinds());
        if (type instanceof FieldType.Text) {
            addClasses(column);
        } else {
            add(column);
        }
    }

    /** Names get numbers in sorted order; a number beside them would become another. */
    private void refuseMixedLabels(ManifestColumn column) {
        if (!column.kinds().contains(Kind.TEXT)
                || EnumSet.of(Kind.TEXT, Kind.TEXTS, Kind.TEXTS_IN_TABLE, Kind.BOOL)
                        .containsAll(column.kinds())) {
            return;
        }
        long text = -1;
        long number = -1;
        for (long i = 0; i < groups.samples() && (text < 0 || number < 0); i++) {
            switch (column.get(groups.row(i, 0)).kind()) {
                case TEXT -> text = text < 0 ? i : text;
                case INTEGER, LARGE_INTEGER, FLOAT -> number = number < 0 ? i : number;
                default -> {}
            }
        }
        throw new StokerException(
                rows.place(groups, Math.max(text, number), 0) + "labels should be all names or all numbers,"
                        + " but some are names, such as '"
                        + column.get(groups.row(text, 0)).text() + "', and some numbers, such as "
                        + column.get(groups.row(number, 0)).text()
                        + "; names are numbered in sorted order, so numeric labels would change");
    }

    private StokerException severalLabels(ManifestColumn column, long sample) {
        ManifestCell first = column.get(groups.row(sample, 0));
        long which = 1;
        while (column.get(groups.row(sample, which)).equals(first)) {
            which++;
        }
        String label = column.get(groups.row(sample, which)).text();
        return new StokerException(rows.place(groups, sample, which) + "the path has the label '" + label
                + "' here but '" + first.text()
                + "' before; a sample has one label, so give a column of several another name");
    }

    private void addClasses(ManifestColumn column) {
        SortedMap<byte[], Integer> numbers = new TreeMap<>(Arrays::compareUnsigned);
        for (long i = 0; i < groups.samples(); i++) {
            ManifestCell cell = column.get(groups.row(i, 0));
            if (cell.kind() != Kind.MISSING) {
                numbers.putIfAbsent(cell.text().getBytes(StandardCharsets.UTF_8), 0);
            }
        }
        var names = new ArrayList<String>();
        for (var entry : numbers.entrySet()) {
            entry.setValue(names.size());
            names.add(new String(entry.getKey(), StandardCharsets.UTF_8));
        }
        classes = names;
        var labels = new GrowingBuffer();
        put(column, new FieldType.Scalar(DType.INT64), new ListedNumbers(labels, Long.BYTES));
        for (long i = 0; i < groups.samples(); i++) {
            Integer number = numbers.get(column.get(groups.row(i, 0)).text().getBytes(StandardCharsets.UTF_8));
            labels.addLong(number == null ? Field.NO_LABEL : number);
        }
    }

    private void add(ManifestColumn column) {
        FieldType type = type(column.kinds());
        boolean several = firstDifferent(column) >= 0;
        if (type instanceof FieldType.Scalar scalar) {
            if (several) {
                addArrays(column, scalar.dtype());
            } else {
                addNumbers(column, scalar);
            }
        } else if (type instanceof FieldType.Texts || several) {
            addTexts(column, type instanceof FieldType.Texts, several);
        } else {
            var values = new ListedValues();
            put(column, type, values);
            for (long i = 0; i < groups.samples(); i++) {
                values.add(column.get(groups.row(i, 0)).text().getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    /** The type that holds values of all these kinds. */
    private static FieldType type(Set<Kind> kinds) {
        if (kinds.isEmpty()) {
            return new FieldType.Text();
        }
        if (EnumSet.of(Kind.INTEGER, Kind.LARGE_INTEGER).containsAll(kinds)) {
            return new FieldType.Scalar(DType.INT64);
        }
        if (EnumSet.of(Kind.INTEGER, Kind.FLOAT).containsAll(kinds)) {
            return new FieldType.Scalar(DType.FLOAT64);
        }
        if (EnumSet.of(Kind.BOOL).containsAll(kinds)) {
            return new FieldType.Scalar(DType.BOOL);
        }
        boolean texts =
                kinds.contains(Kind.TEXTS) && EnumSet.of(Kind.TEXTS, Kind.TEXT).containsAll(kinds);
        return texts || kinds.equals(EnumSet.of(Kind.TEXTS_IN_TABLE)) ? new FieldType.Texts() : new FieldType.Text();
    }

    /** The first sample whose rows differ in this column, or -1. */
    private long firstDifferent(ManifestColumn column) {
        if (!groups.isSingle()) {
            for (long i = 0; i < groups.samples(); i++) {
                ManifestCell first = column.get(groups.row(i, 0));
                for (long which = 1; which < groups.count(i); which++) {
                    if (!column.get(groups.row(i, which)).equals(first)) {
                        return i;
                    }
                }
            }
        }
        return -1;
    }

    private void addNumbers(ManifestColumn column, FieldType.Scalar type) {
        var numbers = new GrowingBuffer();
        put(column, type, new ListedNumbers(numbers, type.width()));
        var value = ByteBuffer.allocate((int) type.width()).order(ByteOrder.LITTLE_ENDIAN);
        for (long i = 0; i < groups.samples(); i++) {
            value.clear();
            putNumber(value, column, type.dtype(), i, 0);
            numbers.add(value.array());
        }
    }

    private void addArrays(ManifestColumn column, DType dtype) {
        var values = new ListedValues();
        put(column, new FieldType.Array(dtype, 1), new ListedArrays(values, dtype.bytes()));
        for (long i = 0; i < groups.samples(); i++) {
            var value = ByteBuffer.allocate(Math.toIntExact(groups.count(i) * dtype.bytes()))
                    .order(ByteOrder.LITTLE_ENDIAN);
            for (long which = 0; which < groups.count(i); which++) {
                putNumber(value, column, dtype, i, which);
            }
            values.add(value.array());
        }
    }

    private void putNumber(ByteBuffer to, ManifestColumn column, DType dtype, long sample, long which) {
        ManifestCell cell = column.get(groups.row(sample, which));
        if (dtype == DType.FLOAT64) {
            to.putDouble(cell.asDouble());
        } else if (cell.kind() == Kind.MISSING) {
            if (!column.name().equals(Field.LABEL) || dtype != DType.INT64) {
                throw new StokerException(rows.place(groups, sample, which) + "'" + column.name() + "' is "
                        + dtype.label() + " in other rows but has no value here; give it one in every row");
            }
            to.putLong(Field.NO_LABEL);
        } else if (dtype == DType.BOOL) {
            to.put((byte) (cell.asBool() ? 1 : 0));
        } else {
            to.putLong(cell.asLong());
        }
    }

    /** Lists of each row as they are, or one list of the values of all rows. */
    private void addTexts(ManifestColumn column, boolean areLists, boolean several) {
        var values = new ListedValues();
        put(column, new FieldType.Texts(), values);
        for (long i = 0; i < groups.samples(); i++) {
            var texts = new ArrayList<String>();
            for (long which = 0; which < (several ? groups.count(i) : 1); which++) {
                ManifestCell cell = column.get(groups.row(i, which));
                if (areLists) {
                    texts.addAll(cell.asTexts());
                } else {
                    texts.add(cell.text());
                }
            }
            values.add(TextList.encode(texts));
        }
    }

    private void put(ManifestColumn column, FieldType type, ListedColumn values) {
        fields.add(new Field(column.name(), type));
        columns.add(values);
    }
}
