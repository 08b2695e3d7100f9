package dev.stoker.formats.zarr;

import dev.stoker.formats.shared.array.Span;
import dev.stoker.index.BlockRows;
import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Numbers and arrays of them, all of one shape; big-endian ones are turned round. */
final class NumberColumn extends ArrayColumn {
    private final Rows rows;
    private final ElementType.Number number;
    private final FieldType type;
    private final boolean isStored;
    private MemorySegment buffer = MemorySegment.ofArray(new byte[0]);

    NumberColumn(Rows rows, ElementType.Number number) {
        this.rows = rows;
        this.number = number;
        var shape = rows.array().rowShape();
        this.type =
                shape.isEmpty() ? new FieldType.Scalar(number.dtype()) : new FieldType.Tensor(number.dtype(), shape);
        this.isStored = !number.isTurned() && rows.isInFile();
    }

    @Override
    Store store() {
        return rows.store();
    }

    @Override
    ZarrArray array() {
        return rows.array();
    }

    @Override
    public FieldType type() {
        return type;
    }

    @Override
    public long count() {
        return rows.count();
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
            Rows.turn(value, number.dtype().bytes());
        }
        if (number.dtype() == DType.BOOL) {
            requireBools(value, row);
        }
        return value;
    }

    private void requireBools(MemorySegment value, long row) {
        for (long i = 0; i < value.byteSize(); i++) {
            byte found = value.get(ValueLayout.JAVA_BYTE, i);
            if (found != 0 && found != 1) {
                throw store().corrupt(-1, label() + ", row " + row + ": expected 0 or 1 but found " + found);
            }
        }
    }
}
