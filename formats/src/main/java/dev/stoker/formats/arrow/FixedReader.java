package dev.stoker.formats.arrow;

import dev.stoker.formats.shared.table.TableColumns;
import dev.stoker.index.Placement;
import dev.stoker.sample.FieldType;

/** Reads numbers and tensors. */
record FixedReader(String column, Elements elements, FieldType type, Placement placement) implements ColumnReader {
    static FixedReader of(String column, Elements elements) {
        FieldType type = elements.isNumber()
                ? new FieldType.Scalar(elements.dtype())
                : new FieldType.Tensor(elements.dtype(), elements.shape());
        Placement placement = elements.bits() ? Placement.indexed(true) : TableColumns.placement(type);
        return new FixedReader(column, elements, type, placement);
    }

    @Override
    public ColumnReader copying() {
        return new FixedReader(column, elements, type, Placement.indexed(true));
    }

    @Override
    public void read(BatchCursor batch, ValueSink to) {
        Elements.Block block = elements.read(batch, batch.column(), column);
        if (elements.width() == 0) {
            // There is nothing to give, and nothing in the file that bounds how often.
            return;
        }
        boolean indexed = placement.place() == Placement.Place.INDEX;
        for (long i = 0; i < block.items(); i++) {
            elements.give(block, i, 1, batch, to, indexed);
        }
    }
}
