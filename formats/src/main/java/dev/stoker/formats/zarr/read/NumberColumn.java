package dev.stoker.formats.zarr.read;

import dev.stoker.formats.shared.array.Span;
import dev.stoker.index.BlockRows;
import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Numbers and arrays of them, all of one shape; big-endian ones are turned round. */
final class NumberColumn extends ArrayColumn {
    private final ArrayRows rows;
    private final ElementType.Number number;
    private final boolean isStored;
    private MemorySegment buffer = MemorySegment.ofArray(new byte[0]);

    NumberColumn(ArrayRows rows, ElementType.Number number) {
        super(rows.store(), rows.array(), type(rows.array().rowShape(), number.dtype()));
        this.rows = rows;
        this.number = number;
        this.isStored = !number.isTurned() && rows.isInFile();
    }

    private static FieldType type(List<Long> shape, DType dtype) {
        return shape.isEmpty() ? new FieldType.Scalar(dtype) : new FieldType.Tensor(dtype, shape);
    }

    @Override
    public boolean isStored() {
        return isStored;
    }

    @Override
    public long base() {
        return isStored ? rows.base() : -1;
    }

    @Override
    public Span span(long row) {
        return rows.bytes() == 0 ? NOTHING : new Span(rows.place(row), rows.bytes());
    }

    @Override
    public boolean isInBlocks() {
        return number.dtype() != DType.BOOL;
    }

    @Override
    public long addBlocks(BlockRows blocks) {
        return rows.addBlocks(blocks);
    }

    @Override
    public long denseBlockBytes() {
        return Math.multiplyExact(rows.count(), rows.bytes());
    }

    @Override
    public Span blockSpan(long address, long row) {
        return new Span(address + row * rows.bytes(), rows.bytes());
    }

    @Override
    public MemorySegment value(long row) {
        if (buffer.byteSize() != rows.bytes()) {
            buffer = isStored ? MemorySegment.ofArray(new byte[Math.toIntExact(rows.bytes())]) : rows.buffer();
        }
        MemorySegment value = buffer;
        rows.copy(row, value);
        if (number.isTurned()) {
            ArrayRows.turn(value, number.dtype().bytes());
        }
        if (number.dtype() == DType.BOOL) {
            requireBools(value, row, store());
        }
        return value;
    }
}
