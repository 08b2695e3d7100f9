package dev.stoker.formats.parquet.read;

import dev.stoker.formats.parquet.schema.PageLocation;
import dev.stoker.io.GrowingBuffer;
import java.lang.foreign.MemorySegment;

/** Lists of text, as {@link dev.stoker.sample.TextList}s. A null list is an empty one, a null text too. */
final class TextsSink extends RowSink {
    private final Leaf leaf;
    /** Where each text of this row ends, and the texts themselves. */
    private final GrowingBuffer ends = new GrowingBuffer();

    private final GrowingBuffer texts = new GrowingBuffer();
    private final GrowingBuffer whole = new GrowingBuffer();
    private boolean isBegun;

    TextsSink(Target target, Leaf leaf) {
        super(target);
        this.leaf = leaf;
    }

    @Override
    void entry(int repetition, int definition, ValueDecoder values, PageLocation place) {
        if (repetition == 0) {
            finish(place);
            isBegun = true;
        } else if (!isBegun) {
            throw place.corrupt("a row group begins in the middle of a list");
        }
        if (definition < leaf.element()) {
            if (leaf.isNullList(definition)) {
                missing();
            }
            return;
        }
        if (definition < leaf.present()) {
            missing();
        } else {
            texts.add(text(values, place));
            if (texts.size() > Integer.MAX_VALUE) {
                throw place.unsupported("row " + rows() + " has more text than Stoker takes in one list");
            }
        }
        ends.addInt((int) texts.size());
    }

    private void finish(PageLocation place) {
        if (!isBegun) {
            return;
        }
        whole.clear();
        whole.addInt((int) (ends.size() / 4));
        append(ends);
        append(texts);
        MemorySegment list = whole.bytes();
        value(list, place);
        isBegun = false;
    }

    private void append(GrowingBuffer part) {
        if (part.size() > 0) {
            whole.add(part.bytes());
        }
        part.clear();
    }

    @Override
    void end(PageLocation place) {
        finish(place);
    }

    @Override
    public void close() {
        ends.close();
        texts.close();
        whole.close();
    }
}
