package dev.stoker.formats.hdf5.read;

import dev.stoker.formats.hdf5.structure.DatasetHeader;
import dev.stoker.formats.shared.array.ColumnReader;
import dev.stoker.sample.FieldType;

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
