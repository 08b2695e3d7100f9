package dev.stoker.formats.zarr;

import dev.stoker.sample.FieldType;
import dev.stoker.sample.TextList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** Lists of texts: the rows of a table of N x K, or all texts one after another and where each list begins. */
final class TextsColumn extends ArrayColumn {
    private final Variable texts;
    private final @Nullable Offsets offsets;

    TextsColumn(Variable texts, @Nullable Offsets offsets) {
        this.texts = texts;
        this.offsets = offsets;
        if (offsets == null || !texts.isInFile()) {
            texts.requireSmall();
        }
    }

    @Override
    Store store() {
        return texts.store();
    }

    @Override
    ZarrArray array() {
        return texts.array();
    }

    @Override
    public FieldType type() {
        return new FieldType.Texts();
    }

    @Override
    public long count() {
        return offsets == null ? array().count() : offsets.count();
    }

    @Override
    public boolean isStored() {
        return false;
    }

    @Override
    public MemorySegment value(long row) {
        var list = new ArrayList<String>();
        long first = offsets == null ? 0 : offsets.start(row);
        long end = offsets == null ? array().shape()[1] : first + offsets.elements(row);
        for (long i = first; i < end; i++) {
            Variable.Element text = offsets == null ? texts.element(row, i) : texts.element(i);
            list.add(new String(text.bytes().toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8));
        }
        return copy(TextList.encode(list));
    }
}
