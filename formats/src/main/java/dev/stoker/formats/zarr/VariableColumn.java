package dev.stoker.formats.zarr;

import dev.stoker.formats.shared.array.Span;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;

/** Texts or bytes of any length, one for each sample. */
final class VariableColumn extends ArrayColumn {
    private final Variable elements;
    private final FieldType type;
    private final boolean isStored;
    /** How far values were kept in the Index, and their bytes. */
    private long lastKept = -1;

    private long keptBytes;

    VariableColumn(Variable elements, FieldType type) {
        this.elements = elements;
        this.type = type;
        this.isStored = elements.isInFile();
        if (!isStored) {
            elements.requireSmall();
        }
    }

    @Override
    Store store() {
        return elements.store();
    }

    @Override
    ZarrArray array() {
        return elements.array();
    }

    @Override
    public FieldType type() {
        return type;
    }

    @Override
    public long count() {
        return array().count();
    }

    @Override
    public boolean isStored() {
        return isStored;
    }

    @Override
    public Span span(long row) {
        Variable.Element element = elements.element(row);
        return new Span(element.place(), element.bytes().byteSize());
    }

    @Override
    public MemorySegment value(long row) {
        MemorySegment value = elements.element(row).bytes();
        if (!isStored && row > lastKept) {
            lastKept = row;
            keptBytes += value.byteSize();
            Decoded.requireSmall(store(), array(), keptBytes, 0);
        }
        return value;
    }
}
