package dev.stoker.formats.hdf5.read;

import dev.stoker.StokerException;
import dev.stoker.formats.hdf5.structure.DatasetHeader;
import dev.stoker.formats.hdf5.structure.Datatype;
import dev.stoker.formats.shared.array.ColumnReader;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A dataset that Stoker cannot read, such as one that went through an unknown filter. It is weighed with the others, and
 * keeps the file from being read only if it is one of the samples' fields.
 */
record RefusedColumn(DatasetHeader dataset, StokerException refusal) implements ColumnReader {
    @Override
    public FieldType type() {
        return dataset.type() instanceof Datatype.Number number
                ? ColumnChooser.fixedType(dataset, number, List.of())
                : new FieldType.Bytes();
    }

    @Override
    public long count() {
        return dataset.rows();
    }

    @Override
    public boolean isCoordinate() {
        return dataset.isDimension();
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
    public String label() {
        return dataset.label();
    }

    @Override
    public void requireKeepable(long bytes) {
        throw refusal;
    }
}
