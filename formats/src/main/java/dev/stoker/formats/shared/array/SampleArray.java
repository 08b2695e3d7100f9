package dev.stoker.formats.shared.array;

import dev.stoker.sample.FieldType;
import dev.stoker.sample.Omissions;

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

    /** Tells what the container says of the values and no field delivers: a factor, a unit, names of numbers. */
    default void tell(String path, Omissions omissions) {}
}
