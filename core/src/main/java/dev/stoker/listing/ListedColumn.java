package dev.stoker.listing;

import java.lang.foreign.MemorySegment;
import java.security.MessageDigest;

/** One field of a {@link Listing}: the sizes of its values, and a way to their bytes. */
public interface ListedColumn extends AutoCloseable {
    long length(long sample);

    void read(long sample, long from, MemorySegment to);

    /** The dimensions of a value; only of an array field. */
    default long[] shape(long sample) {
        throw new IllegalStateException("not an array");
    }

    /** Adds what the field is known by, without reading what is not in memory. */
    void fingerprint(MessageDigest digest);

    @Override
    void close();
}
