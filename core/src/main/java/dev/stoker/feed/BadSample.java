package dev.stoker.feed;

import dev.stoker.PublicApi;
import java.util.Comparator;

/** A sample that was left out or replaced, and why. */
@PublicApi
public record BadSample(int dataset, long sample, String reason) implements Comparable<BadSample> {
    @Override
    public int compareTo(BadSample other) {
        return Comparator.comparingInt(BadSample::dataset)
                .thenComparingLong(BadSample::sample)
                .compare(this, other);
    }
}
