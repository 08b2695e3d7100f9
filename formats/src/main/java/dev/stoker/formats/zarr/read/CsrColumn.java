package dev.stoker.formats.zarr.read;

import dev.stoker.formats.shared.array.Span;
import dev.stoker.index.BlockRows;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;

/** Values one after another in one array; another says where each begins. */
final class CsrColumn extends ArrayColumn {
    private final ArrayRows values;
    private final Offsets offsets;
    private final long base;

    CsrColumn(ArrayRows values, Offsets offsets, FieldType type) {
        super(values.store(), values.array(), type);
        this.values = values;
        this.offsets = offsets;
        this.base = values.base();
    }

    @Override
    public long count() {
        return offsets.count();
    }

    @Override
    public boolean isStored() {
        return base >= 0 || values.count() == 0;
    }

    @Override
    public Span span(long row) {
        long elements = offsets.elements(row);
        return elements == 0
                ? NOTHING
                : new Span(base + offsets.start(row) * values.bytes(), elements * values.bytes());
    }

    @Override
    public boolean isInBlocks() {
        return true;
    }

    @Override
    public long addBlocks(BlockRows blocks) {
        return values.addBlocks(blocks);
    }

    @Override
    public Span blockSpan(long address, long row) {
        return new Span(address + offsets.start(row) * values.bytes(), offsets.elements(row) * values.bytes());
    }

    @Override
    public MemorySegment value(long row) {
        byte[] value = new byte[Math.toIntExact(Math.multiplyExact(offsets.elements(row), values.bytes()))];
        values.copy(offsets.start(row), MemorySegment.ofArray(value));
        return copy(value);
    }

    @Override
    public long[] shape(long row) {
        return offsets.shape(row);
    }
}
