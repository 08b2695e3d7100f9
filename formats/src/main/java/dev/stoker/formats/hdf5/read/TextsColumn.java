package dev.stoker.formats.hdf5.read;

import dev.stoker.formats.hdf5.structure.Datatype;
import dev.stoker.formats.hdf5.structure.FileBytes;
import dev.stoker.formats.hdf5.structure.GlobalHeap;
import dev.stoker.formats.shared.array.Span;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;

/** Lists of text: rows of references to texts in the global heap, or of one reference to a sequence of such there. */
final class TextsColumn extends DatasetColumn {
    private final GlobalHeap heap;
    private final MemorySegment reference;

    private final boolean isSequence;

    TextsColumn(DatasetRows references, GlobalHeap heap) {
        super(references, new FieldType.Texts());
        this.heap = heap;
        this.isSequence = references.dataset().type() instanceof Datatype.Sequence;
        this.reference = DecodedTexts.references(references);
    }

    @Override
    public MemorySegment value(long row) {
        rows.copy(row, reference);
        FileBytes file = dataset().file();
        String what = dataset().path() + "[" + row + "]";
        MemorySegment list = list(what);
        long referenceBytes = dataset().type().bytes();
        var texts = new ArrayList<Span>();
        long bytes = 0;
        for (long at = 0; at < list.byteSize(); at += referenceBytes) {
            Span text = heap.find(list.asSlice(at, referenceBytes), 1, what);
            texts.add(text);
            bytes += text.length();
        }
        long base = 4 + 4L * texts.size();
        if (base + bytes > file.size()) {
            throw file.corrupt(-1, what + " has texts of " + bytes + " bytes, more than the file");
        }
        MemorySegment value = MemorySegment.ofArray(new byte[Math.toIntExact(base + bytes)]);
        value.set(LittleEndian.U32, 0, texts.size());
        long end = 0;
        for (int t = 0; t < texts.size(); t++) {
            MemorySegment.copy(
                    file.bytes(),
                    texts.get(t).offset(),
                    value,
                    base + end,
                    texts.get(t).length());
            end += texts.get(t).length();
            value.set(LittleEndian.U32, 4 + 4L * t, (int) end);
        }
        return value;
    }

    private MemorySegment list(String what) {
        if (!isSequence) {
            return reference;
        }
        Span list = heap.find(reference, reference.byteSize(), what);
        return dataset().file().bytes().asSlice(list.offset(), list.length());
    }
}
