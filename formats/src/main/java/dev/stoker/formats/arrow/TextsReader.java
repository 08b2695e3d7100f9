package dev.stoker.formats.arrow;

import dev.stoker.formats.arrow.BatchCursor.Node;
import dev.stoker.formats.arrow.BatchCursor.Offsets;
import dev.stoker.formats.arrow.BatchCursor.Span;
import dev.stoker.formats.arrow.BatchCursor.Validity;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;

/** Reads lists of text as {@link dev.stoker.sample.TextList}s. A null list is an empty one, a null text too. */
record TextsReader(boolean large, boolean largeTexts) implements ColumnReader {
    @Override
    public FieldType type() {
        return new FieldType.Texts();
    }

    /** The texts of a batch. */
    private record Texts(long count, Offsets offsets, Validity validity, Span data) {}

    @Override
    public void read(BatchCursor batch, ValueSink to) {
        Node node = batch.column();
        Validity validity = batch.validity(node);
        Offsets offsets = batch.offsets(node, large);
        Node child = batch.node();
        Validity childValidity = batch.validity(child);
        Offsets childOffsets = batch.offsets(child, largeTexts);
        var texts = new Texts(child.rows(), childOffsets, childValidity, batch.buffer());
        long start = node.rows() == 0 ? 0 : offsets.first(texts.count);
        for (long i = 0; i < node.rows(); i++) {
            long end = offsets.end(i, start, texts.count);
            if (validity.isNull(i)) {
                to.missing();
            }
            for (long t = start; t < (validity.isNull(i) ? start : end); t++) {
                if (texts.validity.isNull(t)) {
                    to.missing();
                }
            }
            to.value(list(batch, texts, start, validity.isNull(i) ? start : end));
            start = end;
        }
    }

    private static MemorySegment list(BatchCursor batch, Texts texts, long first, long end) {
        long bytes = 0;
        for (long t = first; t < end; t++) {
            bytes += length(texts, t);
        }
        long count = end - first;
        long base = 4 + 4 * count;
        if (base + bytes > Integer.MAX_VALUE) {
            throw batch.corrupt("a list of " + count + " texts has " + bytes + " bytes, more than Stoker takes");
        }
        MemorySegment list = MemorySegment.ofArray(new byte[(int) (base + bytes)]);
        list.set(LittleEndian.U32, 0, (int) count);
        long at = 0;
        for (long t = first; t < end; t++) {
            long length = length(texts, t);
            long from = texts.data.offset() + start(texts, t);
            MemorySegment.copy(batch.bytes(), from, list, base + at, length);
            at += length;
            list.set(LittleEndian.U32, 4 + 4 * (t - first), (int) at);
        }
        return list;
    }

    private static long start(Texts texts, long text) {
        return text == 0
                ? texts.offsets.first(texts.data.length())
                : texts.offsets.end(text - 1, 0, texts.data.length());
    }

    private static long length(Texts texts, long text) {
        long start = start(texts, text);
        long end = texts.offsets.end(text, start, texts.data.length());
        return texts.validity.isNull(text) ? 0 : end - start;
    }
}
