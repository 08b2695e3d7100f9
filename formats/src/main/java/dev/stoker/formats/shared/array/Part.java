package dev.stoker.formats.shared.array;

import dev.stoker.sample.Samples;
import dev.stoker.sample.Split;
import java.util.List;

/** The samples {@code first … end - 1}, which are the datasets of one group: a split, or all where there is none. */
public record Part(String group, long first, long end) {
    /** The group of samples that are in no split. */
    public static final String WHOLE = "train";

    public long count() {
        return end - first;
    }

    public static List<Part> of(Samples samples) {
        List<Split> splits = samples.splits();
        return splits.isEmpty()
                ? List.of(new Part(WHOLE, 0, samples.count()))
                : splits.stream()
                        .map(split -> new Part(split.name(), split.first(), split.end()))
                        .toList();
    }
}
