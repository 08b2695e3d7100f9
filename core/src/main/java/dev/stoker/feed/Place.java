package dev.stoker.feed;

/** What stands at a position: a sample of one of the datasets that are fed. */
public record Place(int dataset, long sample) {}
