package dev.stoker.feed;

import dev.stoker.PublicApi;

/** What happens with a sample that cannot be read or decoded. The order of the others never changes. */
@PublicApi
public enum BadPolicy {
    /** The feed fails at the batch of the sample, and names it. */
    FAIL,
    /** The sample is left out of its batch, and reported. */
    SKIP,
    /** The sample at the next position of the epoch whose sample is good takes its place; it is reported too. */
    SUBSTITUTE
}
