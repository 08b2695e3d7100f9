package dev.stoker.feed;

import dev.stoker.order.SampleRef;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The samples that turned out bad so far. Safe for any number of threads. */
final class BadSamples {
    private final ConcurrentMap<SampleRef, String> reasons = new ConcurrentHashMap<>();

    void add(SampleRef place, String reason) {
        reasons.putIfAbsent(place, reason);
    }

    boolean contains(SampleRef place) {
        return !reasons.isEmpty() && reasons.containsKey(place);
    }

    int count() {
        return reasons.size();
    }

    /** All of them by dataset and number. */
    List<BadSample> list() {
        var list = new ArrayList<BadSample>();
        reasons.forEach((place, reason) -> list.add(new BadSample(place.dataset(), place.sample(), reason)));
        list.sort(null);
        return list;
    }
}
