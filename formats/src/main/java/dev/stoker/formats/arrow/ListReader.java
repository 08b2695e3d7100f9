package dev.stoker.formats.arrow;

import dev.stoker.formats.arrow.BatchCursor.Node;
import dev.stoker.formats.arrow.BatchCursor.Offsets;
import dev.stoker.formats.arrow.BatchCursor.Validity;
import dev.stoker.index.Placement;
import dev.stoker.sample.FieldType;

/** Reads lists of numbers, or of tensors of one shape, as arrays. A null is an empty list. */
record ListReader(String column, boolean large, Elements elements, boolean copies) implements ColumnReader {
    @Override
    public FieldType type() {
        return new FieldType.Array(elements.dtype(), 1 + elements.shape().size());
    }

    @Override
    public Placement placement() {
        return elements.bits() || copies ? Placement.indexed(false) : Placement.stored();
    }

    @Override
    public ColumnReader copying() {
        return new ListReader(column, large, elements, true);
    }

    @Override
    public void read(BatchCursor batch, ValueSink to) {
        Node node = batch.column();
        Validity validity = batch.validity(node);
        Offsets offsets = batch.offsets(node, large);
        Elements.Block block = elements.read(batch, batch.node(), column);
        var shape = new long[1 + elements.shape().size()];
        for (int d = 1; d < shape.length; d++) {
            shape[d] = elements.shape().get(d - 1);
        }
        long start = node.rows() == 0 ? 0 : offsets.first(block.items());
        for (long i = 0; i < node.rows(); i++) {
            long end = offsets.end(i, start, block.items());
            if (validity.isNull(i)) {
                to.missing();
            }
            shape[0] = validity.isNull(i) ? 0 : end - start;
            elements.give(block, start, shape[0], batch, to, copies);
            to.shape(shape);
            start = end;
        }
    }
}
