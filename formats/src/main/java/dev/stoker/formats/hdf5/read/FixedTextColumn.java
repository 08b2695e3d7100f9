package dev.stoker.formats.hdf5.read;

import dev.stoker.formats.hdf5.structure.Datatype;
import dev.stoker.formats.shared.array.Span;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Text of one length, without its padding. */
final class FixedTextColumn extends DatasetColumn {
    private final Datatype.FixedText.Padding padding;
    private final MemorySegment buffer;

    FixedTextColumn(DatasetRows rows, Datatype.FixedText type) {
        super(rows, new FieldType.Text());
        this.padding = type.padding();
        this.buffer = rows.isInFile() ? MemorySegment.NULL : DecodedTexts.buffer(rows);
    }

    @Override
    public boolean isStored() {
        return rows.isInFile();
    }

    @Override
    public Span span(long row) {
        return new Span(rows.place(row), value(row).byteSize());
    }

    @Override
    public MemorySegment value(long row) {
        MemorySegment padded;
        if (buffer.byteSize() == 0) {
            padded = dataset().file().bytes().asSlice(rows.place(row), rows.bytes());
        } else {
            padded = buffer;
            rows.copy(row, padded);
        }
        return padded.asSlice(0, length(padded));
    }

    private long length(MemorySegment padded) {
        long length = padded.byteSize();
        if (padding == Datatype.FixedText.Padding.NUL_ENDS) {
            for (long i = 0; i < length; i++) {
                if (padded.get(ValueLayout.JAVA_BYTE, i) == 0) {
                    return i;
                }
            }
            return length;
        }
        int pad = padding == Datatype.FixedText.Padding.NULS ? 0 : ' ';
        while (length > 0 && padded.get(ValueLayout.JAVA_BYTE, length - 1) == pad) {
            length--;
        }
        return length;
    }

    /** Each has its own place, however short it is. */
    @Override
    public boolean mayShareTexts() {
        return false;
    }
}
