package dev.stoker.verify;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The damage found so far, by any thread: all of it counted, and of each kind the first kept, so that which kinds are
 * named does not depend on who is faster.
 */
final class DamageLog {
    /** More would not help a person. */
    private static final int MAX_LISTED = 1000;

    private final Verifier.Listener listener;
    private final Map<Verifier.Kind, List<Verifier.Damage>> first = new EnumMap<>(Verifier.Kind.class);
    private long count;

    DamageLog(Verifier.Listener listener) {
        this.listener = listener;
    }

    void add(Verifier.Damage damage) {
        listener.found(damage);
        synchronized (this) {
            count++;
            List<Verifier.Damage> sameKind = first.computeIfAbsent(damage.kind(), kind -> new ArrayList<>());
            if (sameKind.size() < MAX_LISTED) {
                sameKind.add(damage);
            }
        }
    }

    synchronized long count() {
        return count;
    }

    /** The first of it, the kinds in their order, then sorted by sample. */
    synchronized List<Verifier.Damage> listed() {
        return first.values().stream()
                .flatMap(List::stream)
                .limit(MAX_LISTED)
                .sorted((a, b) -> Long.compare(a.sample(), b.sample()))
                .toList();
    }
}
