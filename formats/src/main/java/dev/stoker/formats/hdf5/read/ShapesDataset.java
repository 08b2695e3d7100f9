package dev.stoker.formats.hdf5.read;

import dev.stoker.formats.hdf5.structure.DatasetHeader;
import dev.stoker.formats.hdf5.structure.Datatype;
import dev.stoker.io.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The dataset of the shapes that the values of an array field have. */
record ShapesDataset(DatasetRows rows, int rank) {
    ShapesDataset {
        DatasetHeader dataset = rows.dataset();
        boolean isRight = dataset.rank() == 2
                && dataset.dimensions()[1] == rank
                && dataset.type() instanceof Datatype.Number number
                && number.dtype() == dev.stoker.sample.DType.INT64
                && !number.bigEndian();
        if (!isRight) {
            throw dataset.file().unsupported(dataset.label() + " should hold shapes of " + rank + " dimensions, int64");
        }
    }

    /** The shape of a value that has so many elements. */
    long[] of(long row, long elements) {
        if (row >= rows.count()) {
            throw rows.dataset().file().corrupt(-1, rows.dataset().label() + " has no shape for sample " + row);
        }
        MemorySegment numbers = MemorySegment.ofArray(new byte[8 * rank]);
        rows.copy(row, numbers);
        var shape = new long[rank];
        long product = 1;
        for (int d = 0; d < rank; d++) {
            shape[d] = numbers.get(LittleEndian.U64, 8L * d);
            product = shape[d] < 0 || product < 0 ? -1 : Math.multiplyExact(product, shape[d]);
        }
        if (product != elements) {
            throw rows.dataset()
                    .file()
                    .corrupt(
                            -1,
                            rows.dataset().label() + ", row " + row + ": the value has " + elements
                                    + " elements but its shape is " + Arrays.toString(shape));
        }
        return shape;
    }
}
