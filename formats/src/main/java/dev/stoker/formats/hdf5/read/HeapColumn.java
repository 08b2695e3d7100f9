package dev.stoker.formats.hdf5.read;

import dev.stoker.formats.hdf5.structure.Datatype;
import dev.stoker.formats.hdf5.structure.GlobalHeap;
import dev.stoker.formats.shared.array.Span;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Values of any length in the global heap: bytes, text, arrays. */
final class HeapColumn extends DatasetColumn {
    private final GlobalHeap heap;
    private final Datatype.Number element;
    private final @Nullable ShapesDataset shapes;
    private final MemorySegment reference;

    HeapColumn(
            DatasetRows references,
            GlobalHeap heap,
            FieldType type,
            Datatype.Number element,
            @Nullable ShapesDataset shapes) {
        super(references, type);
        this.heap = heap;
        this.element = element;
        this.shapes = shapes;
        this.reference = DecodedTexts.references(references);
        if (element.bigEndian() && element.dtype().bytes() > 1) {
            throw dataset()
                    .file()
                    .unsupported(
                            dataset().label()
                                    + " holds big-endian numbers of any length, which Stoker does not read; write them little-endian");
        }
    }

    @Override
    public boolean isStored() {
        return true;
    }

    @Override
    public Span span(long row) {
        rows.copy(row, reference);
        return heap.find(reference, element.bytes(), dataset().path() + "[" + row + "]");
    }

    @Override
    public MemorySegment value(long row) {
        Span span = span(row);
        return dataset().file().bytes().asSlice(span.offset(), span.length());
    }

    @Override
    public long[] shape(long row) {
        rows.copy(row, reference);
        long elements = heap.elements(reference);
        return shapes == null ? new long[] {elements} : shapes.of(row, elements);
    }
}
