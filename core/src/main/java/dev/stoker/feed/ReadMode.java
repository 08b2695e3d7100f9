package dev.stoker.feed;

import dev.stoker.PublicApi;

/** How the bytes of samples come out of a container into a batch. */
@PublicApi
public enum ReadMode {
    /** Copied from the mapped file; what is not in memory is asked for ahead. Best when it is in memory already. */
    MAP,
    /** Positional reads straight into the batch, as many in flight as there are threads. Best for slow storage. */
    PREAD,
    /**
     * Positional reads past the page cache, which then is left to others. Best for data larger than memory on a fast
     * disk: nothing of it would be found in the cache again.
     */
    DIRECT,
    /** The first or the second, chosen at the beginning of every epoch by looking at the storage. */
    AUTO;

    /** Whether each value is a read of its own, so that threads are reads in flight. */
    boolean isPositional() {
        return this == PREAD || this == DIRECT;
    }
}
