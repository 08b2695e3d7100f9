package dev.stoker.formats.arrow;

import dev.stoker.formats.arrow.BatchCursor.Node;
import dev.stoker.formats.arrow.BatchCursor.Offsets;
import dev.stoker.formats.arrow.BatchCursor.Span;
import dev.stoker.formats.arrow.BatchCursor.Validity;
import dev.stoker.sample.FieldType;

/** Reads bytes and text; a null is an empty value. */
record RunReader(ArrowType.Binary arrow) implements ColumnReader {
    @Override
    public FieldType type() {
        return arrow.text() ? new FieldType.Text() : new FieldType.Bytes();
    }

    @Override
    public void read(BatchCursor batch, ValueSink to) {
        Node node = batch.column();
        Validity validity = batch.validity(node);
        Offsets offsets = batch.offsets(node, arrow.large());
        Span data = batch.buffer();
        long start = node.rows() == 0 ? 0 : offsets.first(data.length());
        for (long i = 0; i < node.rows(); i++) {
            long end = offsets.end(i, start, data.length());
            if (validity.isNull(i)) {
                to.missing();
            }
            to.stored(batch.address(data.offset() + start), validity.isNull(i) ? 0 : end - start);
            start = end;
        }
    }
}
