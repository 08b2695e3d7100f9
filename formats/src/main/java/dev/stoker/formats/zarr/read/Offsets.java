package dev.stoker.formats.zarr.read;

import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Where the values of samples begin among all elements, and which shapes they have. */
final class Offsets {
    private static final ElementType NUMBER = new ElementType.Number(DType.INT64, false);

    private final ArrayRows offsets;
    private final @Nullable ArrayRows shapes;
    private final int rank;
    private final long elements;
    private final MemorySegment number = MemorySegment.ofArray(new byte[8]);
    private final MemorySegment dimensions;

    /**
     * Offsets into so many elements.
     *
     * @param shapes of arrays with more than one dimension, else null
     */
    Offsets(ArrayRows offsets, @Nullable ArrayRows shapes, int rank, long elements) {
        this.offsets = offsets;
        this.shapes = shapes;
        this.rank = rank;
        this.elements = elements;
        this.dimensions = MemorySegment.ofArray(new byte[8 * rank]);
        ZarrArray of = offsets.array();
        if (of.rank() != 1 || !of.type().equals(NUMBER) || offsets.count() == 0) {
            throw offsets.store().unsupported(of.label() + " should be int64 offsets, one more than samples");
        }
        boolean hasShapes = shapes == null
                || (shapes.array().type().equals(NUMBER)
                        && shapes.array().rowShape().equals(java.util.List.of((long) rank))
                        && shapes.count() == count());
        if (!hasShapes) {
            throw offsets.store()
                    .unsupported(of.label() + " has " + count() + " samples, which should all have an int64"
                            + " shape of " + rank + " dimensions in "
                            + (shapes == null ? "" : shapes.array().label()));
        }
    }

    long count() {
        return offsets.count() - 1;
    }

    long start(long row) {
        offsets.copy(row, number);
        long start = number.get(LittleEndian.U64, 0);
        if (start < 0 || start > elements) {
            throw offsets.store()
                    .corrupt(
                            -1,
                            offsets.array().label() + ", row " + row + ": expected at most " + elements + " but found "
                                    + start);
        }
        return start;
    }

    /** How many elements a value has. */
    long elements(long row) {
        long count = start(row + 1) - start(row);
        if (count < 0) {
            throw offsets.store()
                    .corrupt(-1, offsets.array().label() + ", row " + (row + 1) + ": smaller than the one before");
        }
        return count;
    }

    long[] shape(long row) {
        long count = elements(row);
        if (shapes == null) {
            return new long[] {count};
        }
        shapes.copy(row, dimensions);
        long[] shape = new long[rank];
        long product = 1;
        for (int d = 0; d < rank; d++) {
            shape[d] = dimensions.get(LittleEndian.U64, 8L * d);
            product = shape[d] < 0 || product < 0 ? -1 : Math.multiplyExact(product, shape[d]);
        }
        if (product != count) {
            throw shapes.store()
                    .corrupt(
                            -1,
                            shapes.array().label() + ", row " + row + ": the value has " + count
                                    + " elements but its shape is " + Arrays.toString(shape));
        }
        return shape;
    }
}
