package dev.stoker.transform;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A change of the values of field {@code data} before they are packed, such as making pictures smaller. */
public interface ValueTransform {
    /** What one thread works with. */
    interface Worker {
        /**
         * The new value, or null if the value stays as it is. A function of the value alone.
         *
         * @throws dev.stoker.StokerException if the value is bad; the message need not name the sample
         */
        byte @Nullable [] apply(MemorySegment value);
    }

    Worker worker();

    /** For the progress bar, as "shrinking". */
    String phase();

    /** Everything that the result depends on beside the value; it is part of the samples' fingerprint. */
    String settings();
}
