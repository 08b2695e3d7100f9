package dev.stoker.formats.hdf5;

import dev.stoker.sample.Samples;
import dev.stoker.sample.Split;
import java.util.List;

/** The samples {@code first … end - 1}, which are the datasets of one group: a split, or all where there is none. */
record Part(String group, long first, long end) {
    /** The group of samples that are in no split. */
    static final String WHOLE = "train";

    long count() {
        return end - first;
    }

    static List<Part> of(Samples samples) {
        List<Split> splits = samples.splits();
        return splits.isEmpty()
                ? List.of(new Part(WHOLE, 0, samples.count()))
                : splits.stream()
                        .map(split -> new Part(split.name(), split.first(), split.end()))
                        .toList();
    }
}
