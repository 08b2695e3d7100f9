package dev.stoker.formats.shared.array;

import dev.stoker.sample.FieldType;
import java.lang.foreign.MemorySegment;

/** The values of one field in one group. */
public interface ColumnReader {
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

    /** What it reads, for messages: an array by its name. */
    String label();

    /** Refuses values that are not {@linkplain #isStored stored} and too many to be kept in the Index. */
    void requireKeepable(long bytes);
}
