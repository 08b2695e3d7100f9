package dev.stoker.formats.zarr;

import dev.stoker.formats.shared.array.Span;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;

/** Texts or bytes of any length, one for each sample. */
final class VariableColumn extends ArrayColumn {
    private final Variable elements;
    private final FieldType type;
    private final boolean isStored;

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
        return elements.element(row).bytes();
    }
}
