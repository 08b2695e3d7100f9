package dev.stoker.formats.hdf5;

import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;

/** The values of one field in one group. */
interface ColumnReader {
    FieldType type();

    long count();

    /** Whether every value lies in the file as it is. */
    boolean isStored();

    /** Where the first value begins if all lie one after another, else -1. */
    default long base() {
        return -1;
    }

    /** Where a value lies; only if it {@link #isStored}. */
    Span span(long row);

    /** The value itself; valid until the next call. */
    MemorySegment value(long row);

    /** The dimensions of a value of an array field. */
    long[] shape(long row);

    /** The dataset that the values begin at. */
    Rows rows();

    /** For messages. */
    default Dataset dataset() {
        return rows().dataset();
    }
}
