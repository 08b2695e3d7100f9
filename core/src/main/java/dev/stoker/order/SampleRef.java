package dev.stoker.order;

import dev.stoker.PublicApi;

/** What stands at a position: a sample of one of the datasets that are fed. */
@PublicApi
public record SampleRef(int dataset, long sample) {}
