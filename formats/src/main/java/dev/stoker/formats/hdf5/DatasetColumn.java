package dev.stoker.formats.hdf5;

import dev.stoker.formats.shared.array.ColumnReader;

/** The values of a field that lie in a dataset. */
abstract class DatasetColumn implements ColumnReader {
    abstract Dataset dataset();

    @Override
    public final String label() {
        return dataset().label();
    }

    @Override
    public final void requireKeepable(long bytes) {
        Decoded.requireSmall(dataset(), bytes);
    }
}
