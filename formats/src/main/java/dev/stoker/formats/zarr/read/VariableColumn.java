package dev.stoker.formats.zarr.read;

import dev.stoker.formats.shared.array.Span;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;

/** Texts or bytes of any length, one for each sample. */
final class VariableColumn extends ArrayColumn {
    private final VariableElements elements;
    private final boolean isStored;
    /** How far values were kept in the Index, and their bytes. */
    private long lastKept = -1;

    private long keptBytes;

    VariableColumn(VariableElements elements, FieldType type) {
        super(elements.store(), elements.array(), type);
        this.elements = elements;
        this.isStored = elements.isInFile();
        if (!isStored) {
            elements.requireSmall();
        }
    }

    @Override
    public boolean isStored() {
        return isStored;
    }

    @Override
    public Span span(long row) {
        VariableElements.Element element = elements.element(row);
        return new Span(element.place(), element.bytes().byteSize());
    }

    @Override
    public MemorySegment value(long row) {
        MemorySegment value = elements.element(row).bytes();
        if (!isStored && row > lastKept) {
            lastKept = row;
            keptBytes += value.byteSize();
            DecodedLimit.requireSmall(store(), array(), keptBytes, 0);
        }
        return value;
    }
}
