package dev.stoker.formats.zarr.read;

import dev.stoker.sample.FieldType;
import dev.stoker.sample.TextList;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** Lists of texts: the rows of a table of N x K, or all texts one after another and where each list begins. */
final class TextsColumn extends ArrayColumn {
    private final VariableElements texts;
    private final @Nullable Offsets offsets;

    TextsColumn(VariableElements texts, @Nullable Offsets offsets) {
        super(texts.store(), texts.array(), new FieldType.Texts());
        this.texts = texts;
        this.offsets = offsets;
        if (offsets == null || !texts.isInFile()) {
            texts.requireSmall();
        }
    }

    @Override
    public long count() {
        return offsets == null ? super.count() : offsets.count();
    }

    @Override
    public MemorySegment value(long row) {
        var list = new ArrayList<String>();
        long first = offsets == null ? 0 : offsets.start(row);
        long end = offsets == null ? array().shape()[1] : first + offsets.elements(row);
        for (long i = first; i < end; i++) {
            VariableElements.Element text = offsets == null ? texts.element(row, i) : texts.element(i);
            list.add(new String(text.bytes().toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8));
        }
        return copy(TextList.encode(list));
    }
}
