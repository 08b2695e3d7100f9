package dev.stoker.formats.shared.array;

import dev.stoker.sample.FieldType;

/** An array whose rows may be the values of a field. */
public interface SampleArray {
    /** What a row is. */
    FieldType type();

    /** How many rows it has. */
    long count();

    /** Whether the container says that it gives the places along a dimension of other arrays. */
    default boolean isCoordinate() {
        return false;
    }
}
