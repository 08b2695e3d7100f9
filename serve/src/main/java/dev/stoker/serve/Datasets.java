package dev.stoker.serve;

import dev.stoker.feed.Dataset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The datasets that sessions have open; those who name the same files share one. */
final class Datasets {
    private static final class Shared {
        final Dataset dataset;
        int users;

        Shared(Dataset dataset) {
            this.dataset = dataset;
        }
    }

    private final Map<List<String>, Shared> open = new HashMap<>();

    /** Opens a dataset, or waits for another session that is doing so. To be released. */
    synchronized Dataset open(List<String> paths) {
        Shared shared = open.get(paths);
        if (shared == null) {
            shared = new Shared(Dataset.open(paths));
            open.put(paths, shared);
        }
        shared.users++;
        return shared.dataset;
    }

    synchronized void release(List<String> paths) {
        Shared shared = open.get(paths);
        if (shared != null && --shared.users == 0) {
            open.remove(paths);
            shared.dataset.close();
        }
    }
}
