package dev.stoker.formats.hdf5.read;

import dev.stoker.formats.hdf5.structure.Datatype;
import dev.stoker.formats.hdf5.structure.FileBytes;
import dev.stoker.formats.shared.array.Span;
import dev.stoker.index.BlockRows;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Values one after another in one dataset; another says where each begins. */
final class CsrColumn extends DatasetColumn {
    private final DatasetRows values;
    private final DatasetRows offsets;
    private final @Nullable ShapesDataset shapes;
    private final MemorySegment number = MemorySegment.ofArray(new byte[8]);

    CsrColumn(DatasetRows values, DatasetRows offsets, FieldType type, @Nullable ShapesDataset shapes) {
        super(values, type);
        this.values = values;
        this.offsets = offsets;
        this.shapes = shapes;
        FileBytes file = dataset().file();
        boolean isRight = offsets.dataset().rank() == 1
                && offsets.dataset().type() instanceof Datatype.Number offset
                && offset.dtype() == DType.INT64
                && offsets.count() > 0;
        if (!isRight || dataset().rank() != 1) {
            throw file.unsupported(dataset().label() + " and "
                    + offsets.dataset().label() + " should be values and int64 offsets to them");
        }
    }

    private long offset(long row) {
        offsets.copy(row, number);
        long offset = number.get(LittleEndian.U64, 0);
        if (offset < 0 || offset > values.count()) {
            throw dataset()
                    .file()
                    .corrupt(
                            -1,
                            offsets.dataset().label() + ", row " + row + ": expected at most " + values.count()
                                    + " but found " + offset);
        }
        return offset;
    }

    @Override
    public long count() {
        return offsets.count() - 1;
    }

    @Override
    public boolean isStored() {
        return values.base() >= 0 || values.count() == 0;
    }

    private long elements(long row) {
        long elements = offset(row + 1) - offset(row);
        if (elements < 0) {
            throw dataset()
                    .file()
                    .corrupt(
                            -1,
                            offsets.dataset().label() + ", row " + (row + 1) + ": smaller than the" + " one before");
        }
        return elements;
    }

    @Override
    public Span span(long row) {
        Span span = place(row);
        return span.length() == 0 ? span : new Span(values.base() + span.offset(), span.length());
    }

    @Override
    public boolean isInBlocks() {
        return true;
    }

    @Override
    public long addBlocks(BlockRows blocks) {
        long address = blocks.decodedBytes();
        values.addBlocks(blocks, 0);
        return address;
    }

    @Override
    public Span blockSpan(long address, long row) {
        Span span = place(row);
        return new Span(address + span.offset(), span.length());
    }

    /** Where a value lies, counted from the first one. */
    private Span place(long row) {
        long elements = elements(row);
        return elements == 0 ? new Span(0, 0) : new Span(offset(row) * values.bytes(), elements * values.bytes());
    }

    @Override
    public MemorySegment value(long row) {
        Span span = span(row);
        return dataset().file().bytes().asSlice(span.offset(), span.length());
    }

    @Override
    public long[] shape(long row) {
        long elements = elements(row);
        return shapes == null ? new long[] {elements} : shapes.of(row, elements);
    }
}
