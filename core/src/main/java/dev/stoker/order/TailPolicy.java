package dev.stoker.order;

import dev.stoker.PublicApi;
import dev.stoker.feed.LastBatch;

/**
 * What happens in the last round over the ranks of an epoch when fewer positions remain than there are ranks. It never
 * concerns the last batch; that is {@link LastBatch}.
 */
@PublicApi
public enum TailPolicy {
    /** Ranks without a position deliver one from the beginning of the epoch's order again: all deliver equally many. */
    EVEN,
    /** No rank delivers in that round: all deliver equally many, fewer than a round of positions are left out. */
    DROP,
    /** Only ranks with a position deliver: some deliver one sample more than others. */
    RAGGED
}
