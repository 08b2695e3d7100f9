package dev.stoker.feed;

import java.util.List;

/** What all batches of a feed have in common. */
record Job(
        List<Dataset> datasets,
        BatchField[] fields,
        BadPolicy badPolicy,
        BadSamples bad,
        boolean verify,
        MemorySource memory,
        int mapThreads,
        int preadThreads) {
    Members members(int dataset) {
        return datasets.get(dataset).members();
    }

    int threads(ReadMode mode) {
        return mode.isPositional() ? preadThreads : mapThreads;
    }

    void requireUnchanged() {
        datasets.forEach(dataset -> dataset.members().requireUnchanged());
    }

    String describe(Place place) {
        return datasets.get(place.dataset()).describe(place.sample());
    }
}
