package dev.stoker.formats.parquet.read;

import dev.stoker.formats.parquet.schema.PageLocation;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.StandIn;
import java.lang.foreign.MemorySegment;

/**
 * Columns with one value for each row. A null text or run of bytes is an empty one, for null numbers
 * there is a {@link StandIn}.
 */
final class FlatSink extends RowSink {
    private static final MemorySegment EMPTY = MemorySegment.ofArray(new byte[0]);

    private final Leaf leaf;

    FlatSink(Target target, Leaf leaf) {
        super(target);
        this.leaf = leaf;
    }

    @Override
    void entry(int repetition, int definition, ValueDecoder values, PageLocation place) {
        if (definition < leaf.present()) {
            giveNull(place);
        } else if (type() instanceof FieldType.Scalar scalar) {
            value(number(scalar.dtype(), values, place), place);
        } else {
            give(values, place);
        }
    }

    private void give(ValueDecoder values, PageLocation place) {
        if (type() instanceof FieldType.Text) {
            text(values, place);
        }
        if (isIndexed()) {
            value(values.segment().asSlice(values.at(), values.length()), place);
        } else if (values.isStored()) {
            stored(values.address(), values.length(), place);
        } else {
            throw place.corrupt("a page has an encoding that the footer doesn't list");
        }
    }

    private void giveNull(PageLocation place) {
        missing();
        switch (type()) {
            case FieldType.Scalar scalar -> value(StandIn.of(scalar.dtype()), place);
            case FieldType.Tensor tensor -> {
                if (!isIndexed()) {
                    throw new NullInPlaceException();
                }
                requireRoom(tensor.width(), place);
                value(StandIn.of(tensor), place);
            }
            default -> {
                if (isIndexed()) {
                    value(EMPTY, place);
                } else {
                    stored(0, 0, place);
                }
            }
        }
    }

    @Override
    void end(PageLocation place) {}
}
