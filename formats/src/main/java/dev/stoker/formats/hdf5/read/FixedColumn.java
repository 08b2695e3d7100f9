package dev.stoker.formats.hdf5.read;

import dev.stoker.formats.hdf5.structure.Datatype;
import dev.stoker.formats.shared.array.Span;
import dev.stoker.index.BlockRows;
import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Numbers and arrays of them, all of one shape; big-endian ones are turned round. */
final class FixedColumn extends DatasetColumn {
    private final Datatype.Number number;
    private final long[] shape;
    private final boolean isInFile;
    private @Nullable MemorySegment buffer;

    /** @param shape of every value, where the type does not say it */
    FixedColumn(DatasetRows rows, FieldType type, Datatype.Number number, long... shape) {
        super(rows, type);
        this.number = number;
        this.shape = shape;
        this.isInFile = rows.isInFile();
    }

    @Override
    public boolean isStored() {
        return !isTurned() && isInFile;
    }

    private boolean isTurned() {
        return number.bigEndian() && number.dtype().bytes() > 1;
    }

    @Override
    public long base() {
        return isTurned() ? -1 : rows.base();
    }

    @Override
    public Span span(long row) {
        return new Span(rows.bytes() == 0 ? 0 : rows.place(row), rows.bytes());
    }

    @Override
    public boolean isInBlocks() {
        return rows.isDense() || !isTurned();
    }

    @Override
    public long addBlocks(BlockRows blocks) {
        long address = blocks.decodedBytes();
        rows.addBlocks(blocks, isTurned() ? number.dtype().bytes() : 0);
        return address;
    }

    @Override
    public Span blockSpan(long address, long row) {
        return new Span(address + row * rows.stride() + rows.offset(), rows.bytes());
    }

    @Override
    public long denseBlockBytes() {
        return rows.isDense() ? Math.multiplyExact(rows.count(), rows.bytes()) : -1;
    }

    /** For values that the Index keeps itself, which are small. */
    @Override
    public MemorySegment value(long row) {
        MemorySegment value;
        if (isStored()) {
            Span span = span(row);
            value = rows.dataset().file().bytes().asSlice(span.offset(), span.length());
        } else {
            buffer = buffer == null ? MemorySegment.ofArray(new byte[Math.toIntExact(rows.bytes())]) : buffer;
            value = buffer;
            rows.copy(row, value);
            if (isTurned()) {
                DecodedTexts.turn(value, number.dtype().bytes());
            }
        }
        if (number.dtype() == DType.BOOL) {
            requireBools(value, row, dataset().file());
        }
        return value;
    }

    @Override
    public long[] shape(long row) {
        return shape;
    }
}
