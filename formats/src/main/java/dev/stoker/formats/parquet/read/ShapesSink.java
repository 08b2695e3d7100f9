package dev.stoker.formats.parquet.read;

import dev.stoker.formats.parquet.schema.PageLocation;
import dev.stoker.io.GrowingBuffer;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.FieldType;
import java.util.Arrays;

/** The shapes of arrays, which have to fit the number of their elements. */
final class ShapesSink extends RowSink {
    private final Target target;
    private final Leaf leaf;
    private final GrowingBuffer counts;
    private final long[] shape;
    private int dimensions;
    private long inGroup;
    private boolean isBegun;

    /** Reads the shapes of an array field; the target has the counts. */
    ShapesSink(Target target, Leaf leaf, GrowingBuffer counts, FieldType.Array type) {
        super(target);
        this.target = target;
        this.leaf = leaf;
        this.counts = counts;
        this.shape = new long[type.rank()];
    }

    @Override
    void entry(int repetition, int definition, ValueDecoder values, PageLocation place) {
        if (repetition == 0) {
            finish(place);
            isBegun = true;
        }
        if (definition < leaf.present() || dimensions == shape.length || !isBegun) {
            throw place.corrupt("row " + inGroup + " of a row group should have a shape of " + shape.length
                    + " dimensions but has another number of them");
        }
        shape[dimensions++] = values.segment().get(LittleEndian.U32, values.at());
    }

    private void finish(PageLocation place) {
        if (!isBegun) {
            return;
        }
        long product = dimensions == shape.length ? product() : -1;
        long expected = 8 * inGroup < counts.size() ? counts.getLong(inGroup) : -1;
        if (product < 0 || product != expected) {
            throw place.corrupt("row " + inGroup + " of a row group has " + expected + " elements but the shape "
                    + Arrays.toString(Arrays.copyOf(shape, dimensions)));
        }
        target.builder().shape(target.number(), shape);
        dimensions = 0;
        inGroup++;
        isBegun = false;
    }

    private long product() {
        long product = 1;
        for (long dimension : shape) {
            product = dimension < 0 ? -1 : Math.multiplyExact(product, dimension);
            if (product < 0) {
                break;
            }
        }
        return product;
    }

    @Override
    void end(PageLocation place) {
        finish(place);
        if (8 * inGroup != counts.size()) {
            throw place.corrupt("there are " + counts.size() / 8 + " arrays but " + inGroup + " shapes");
        }
        counts.clear();
        inGroup = 0;
    }
}
