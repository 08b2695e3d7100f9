package dev.stoker.formats.hdf5;

import dev.stoker.formats.shared.array.ColumnReader;

/** The values of a field that lie in a dataset. */
abstract class DatasetColumn implements ColumnReader {
    /** The dataset that the values begin at. */
    abstract Rows rows();

    final Dataset dataset() {
        return rows().dataset();
    }

    @Override
    public final long storedRows() {
        return rows().storedRows();
    }

    @Override
    public final String label() {
        return dataset().label();
    }

    @Override
    public final void requireKeepable(long bytes) {
        Decoded.requireSmall(dataset(), bytes);
    }
}
