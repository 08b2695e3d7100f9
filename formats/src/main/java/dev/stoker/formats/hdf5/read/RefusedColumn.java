package dev.stoker.formats.hdf5.read;

import dev.stoker.StokerException;
import dev.stoker.formats.hdf5.structure.DatasetHeader;
import dev.stoker.formats.hdf5.structure.Datatype;
import dev.stoker.formats.shared.array.ColumnReader;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * What Stoker cannot read, such as a dataset that went through an unknown filter. It is weighed with the others, and keeps
 * the file from being read only if it is one of the samples' fields.
 */
record RefusedColumn(FieldType type, long count, boolean isCoordinate, String label, StokerException refusal)
        implements ColumnReader {
    static RefusedColumn of(DatasetHeader dataset, StokerException refusal) {
        FieldType type = dataset.type() instanceof Datatype.Number number
                ? ColumnChooser.fixedType(dataset, number, List.of())
                : new FieldType.Bytes();
        return new RefusedColumn(type, dataset.rows(), dataset.isDimension(), dataset.label(), refusal);
    }

    @Override
    public void requireReadable() {
        throw refusal;
    }

    @Override
    public MemorySegment value(long row) {
        throw refusal;
    }

    @Override
    public void requireKeepable(long bytes) {
        throw refusal;
    }
}
