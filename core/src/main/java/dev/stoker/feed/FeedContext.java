package dev.stoker.feed;

import dev.stoker.dataset.Dataset;
import dev.stoker.dataset.DatasetFiles;
import dev.stoker.order.SampleRef;
import java.util.List;

/** What all batches of a feed have in common. */
record FeedContext(
        List<Dataset> datasets,
        BatchField[] fields,
        BadPolicy badPolicy,
        BadSamples bad,
        boolean verify,
        BatchMemorySource memory,
        int mapThreads,
        int preadThreads) {
    DatasetFiles members(int dataset) {
        return datasets.get(dataset).members();
    }

    int threads(ReadMode mode) {
        return mode.isPositional() ? preadThreads : mapThreads;
    }

    void requireUnchanged() {
        datasets.forEach(dataset -> dataset.members().requireUnchanged());
    }

    String describe(SampleRef place) {
        return datasets.get(place.dataset()).describe(place.sample());
    }
}
