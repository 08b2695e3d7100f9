package dev.stoker.formats.arrow;

import dev.stoker.formats.arrow.BatchCursor.Node;
import dev.stoker.formats.arrow.BatchCursor.Span;
import dev.stoker.formats.arrow.BatchCursor.Validity;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.FieldType;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads bytes and text that are found by views of 16 bytes: a length, and then either the value itself, if it has at
 * most 12 bytes, or its first four bytes, the number of a buffer and a place in it. A null is an empty value.
 */
record ViewReader(boolean text) implements ColumnReader {
    private static final int VIEW_BYTES = 16;
    private static final int INLINE_BYTES = 12;

    @Override
    public FieldType type() {
        return text ? new FieldType.Text() : new FieldType.Bytes();
    }

    @Override
    public void read(BatchCursor batch, ValueSink to) {
        Node node = batch.column();
        Validity validity = batch.validity(node);
        Span views = batch.buffer(node.rows(), VIEW_BYTES);
        var data = new ArrayList<Span>();
        for (long left = batch.variadicBuffers(); left > 0; left--) {
            data.add(batch.buffer());
        }
        for (long i = 0; i < node.rows(); i++) {
            long view = views.offset() + VIEW_BYTES * i;
            if (validity.isNull(i)) {
                to.missing();
                to.stored(batch.address(view), 0);
            } else {
                Span value = value(batch, view, data);
                to.stored(batch.address(value.offset()), value.length());
            }
        }
    }

    private static Span value(BatchCursor batch, long view, List<Span> data) {
        int length = batch.bytes().get(LittleEndian.U32, view);
        if (length >= 0 && length <= INLINE_BYTES) {
            return new Span(view + 4, length);
        }
        int number = batch.bytes().get(LittleEndian.U32, view + 8);
        int start = batch.bytes().get(LittleEndian.U32, view + 12);
        if (length < 0 || number < 0 || number >= data.size() || start < 0) {
            throw batch.corrupt("a view has length " + length + ", buffer " + number + " of " + data.size()
                    + " and place " + start);
        }
        Span buffer = data.get(number);
        if (start > buffer.length() - length) {
            throw batch.corrupt("a view of " + length + " bytes at byte " + start + " leaves its buffer of "
                    + buffer.length() + " bytes");
        }
        return new Span(buffer.offset() + start, length);
    }
}
