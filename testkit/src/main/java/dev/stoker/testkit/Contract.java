package dev.stoker.testkit;

import dev.stoker.sample.Field;

/** What the parts of {@link FormatContract} know of the format under test. */
public interface Contract {
    /** A new workshop; its randomness begins anew. */
    Workshop workshop();

    /** Whether a field's values are in the container itself, so that they can be read when the sidecar is lost. */
    boolean isHeldByTheContainer(Field field);

    /** Whether a stopped pack leaves something to go on with; what is compressed before it is planned does not. */
    default boolean leavesItsWork() {
        return true;
    }
}
