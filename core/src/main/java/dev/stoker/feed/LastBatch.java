package dev.stoker.feed;

import dev.stoker.PublicApi;

/** What a rank does with the samples at the end of an epoch that do not fill a batch. */
@PublicApi
public enum LastBatch {
    KEEP,
    DROP;

    /** How many of the {@code samples} of a rank's share are delivered in batches of {@code batchSize}. */
    public long delivered(long samples, int batchSize) {
        return this == KEEP ? samples : samples - samples % batchSize;
    }
}
