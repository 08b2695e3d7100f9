package dev.stoker.feed;

import dev.stoker.PublicApi;

/**
 * What a feed has delivered so far, and how long its consumer waited for it.
 *
 * @param waitP50Millis half of the batches were waited for not longer than this; likewise 95 %
 * @param waitShare the part of the time since the start that the consumer waited
 * @param memoryBytes what the batches take outside the heap now
 */
@PublicApi
public record FeedMetrics(
        long samples,
        long batches,
        double seconds,
        double waitP50Millis,
        double waitP95Millis,
        double waitShare,
        long memoryBytes) {}
