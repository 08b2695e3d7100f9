package dev.stoker.formats.hdf5;

import dev.stoker.formats.shared.array.Span;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Text of one length, without its padding. */
final class FixedTextColumn extends DatasetColumn {
    private final Rows rows;
    private final Datatype.FixedText type;
    private final MemorySegment buffer;

    FixedTextColumn(Rows rows, Datatype.FixedText type) {
        this.rows = rows;
        this.type = type;
        this.buffer = rows.isInFile() ? MemorySegment.NULL : Decoded.buffer(rows);
    }

    @Override
    public FieldType type() {
        return new FieldType.Text();
    }

    @Override
    public long count() {
        return rows.count();
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
        if (type.padding() == Datatype.FixedText.Padding.NUL_ENDS) {
            for (long i = 0; i < length; i++) {
                if (padded.get(ValueLayout.JAVA_BYTE, i) == 0) {
                    return i;
                }
            }
            return length;
        }
        int pad = type.padding() == Datatype.FixedText.Padding.NULS ? 0 : ' ';
        while (length > 0 && padded.get(ValueLayout.JAVA_BYTE, length - 1) == pad) {
            length--;
        }
        return length;
    }

    @Override
    public long[] shape(long row) {
        throw new IllegalStateException("text has no shape");
    }

    /** Each has its own place, however short it is. */
    @Override
    public boolean mayShareTexts() {
        return false;
    }

    @Override
    Rows rows() {
        return rows;
    }
}
