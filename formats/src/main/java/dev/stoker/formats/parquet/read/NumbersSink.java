package dev.stoker.formats.parquet.read;

import dev.stoker.formats.parquet.schema.PageLocation;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.StandIn;
import java.lang.foreign.MemorySegment;

/** Lists of numbers: arrays of one dimension, or tensors. A null list is an empty one, a null float is NaN. */
final class NumbersSink extends RowSink {
    private final Leaf leaf;
    private final DType dtype;
    /** The elements of this row, if they go to the Index. */
    private final GrowingBuffer row = new GrowingBuffer();

    private boolean isBegun;
    private long start;
    private long length;

    NumbersSink(Target target, Leaf leaf, DType dtype) {
        super(target);
        this.leaf = leaf;
        this.dtype = dtype;
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
        boolean isNull = definition < leaf.present();
        if (isNull) {
            missing();
        }
        if (isIndexed()) {
            row.add(isNull ? StandIn.of(dtype) : number(dtype, values, place));
        } else {
            if (isNull || !values.isStored() || length > 0 && values.address() != start + length) {
                throw place.corrupt("the elements of a list should lie one after another");
            }
            start = length == 0 ? values.address() : start;
            length += dtype.bytes();
        }
    }

    private void finish(PageLocation place) {
        if (!isBegun) {
            return;
        }
        long bytes = isIndexed() ? row.size() : length;
        if (type() instanceof FieldType.Tensor tensor && bytes != tensor.width()) {
            throw place.corrupt("row " + rows() + " should have " + tensor.width() / dtype.bytes()
                    + " elements but has " + bytes / dtype.bytes());
        }
        if (isIndexed()) {
            value(bytes == 0 ? MemorySegment.ofArray(new byte[0]) : row.bytes(), place);
            row.clear();
        } else {
            stored(bytes == 0 ? 0 : start, bytes, place);
            length = 0;
        }
        isBegun = false;
    }

    @Override
    void end(PageLocation place) {
        finish(place);
    }

    @Override
    public void close() {
        row.close();
    }
}
