package dev.stoker.formats.hdf5.read;

import dev.stoker.formats.hdf5.structure.DatasetHeader;
import dev.stoker.formats.shared.array.ColumnReader;
import dev.stoker.formats.shared.array.ValueAttributes;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Omissions;

/** The values of a field that lie in a dataset. */
abstract class DatasetColumn implements ColumnReader {
    /** The dataset that the values begin at. */
    final DatasetRows rows;

    private final FieldType type;

    DatasetColumn(DatasetRows rows, FieldType type) {
        this.rows = rows;
        this.type = type;
    }

    final DatasetHeader dataset() {
        return rows.dataset();
    }

    @Override
    public final FieldType type() {
        return type;
    }

    @Override
    public long count() {
        return rows.count();
    }

    @Override
    public final boolean isCoordinate() {
        return dataset().isDimension();
    }

    @Override
    public final void tell(String path, Omissions omissions) {
        ValueAttributes.tell(path, dataset().attributes(ValueAttributes.NAMES), omissions);
        String names = dataset().enumeration();
        if (!names.isEmpty()) {
            omissions.add(path, "enumeration " + ValueAttributes.shown(names), "the values are its numbers");
        }
    }

    @Override
    public final long storedRows() {
        return rows.storedRows();
    }

    @Override
    public final String label() {
        return dataset().label();
    }

    @Override
    public final void requireKeepable(long bytes) {
        DecodedTexts.requireSmall(dataset(), bytes);
    }
}
