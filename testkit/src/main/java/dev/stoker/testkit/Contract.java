package dev.stoker.testkit;

import dev.stoker.sample.Field;

/** What the parts of {@link FormatContract} know of the format under test. */
public interface Contract {
    /** A new workshop; its randomness begins anew. */
    Workshop workshop();

    /** Whether a field's values are in the container itself, so that they can be read when the sidecar is lost. */
    boolean isHeldByTheContainer(Field field);

    /** Whether samples are compressed: before they are planned, by one process, and not read where they lie. */
    default boolean isCompressed() {
        return false;
    }
}
