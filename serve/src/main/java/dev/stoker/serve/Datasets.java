package dev.stoker.serve;

import dev.stoker.dataset.Dataset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The datasets that sessions have open; those who name the same files share one, unless these changed meanwhile. */
final class Datasets {
    private final Map<List<String>, Dataset> byPaths = new HashMap<>();
    private final Map<Dataset, Integer> users = new HashMap<>();

    /** Opens a dataset, or waits for another session that is doing so. To be released. */
    synchronized Dataset open(List<String> paths) {
        Dataset dataset = byPaths.get(paths);
        if (dataset == null || !dataset.isUnchanged()) {
            dataset = Dataset.open(paths);
        } else if (dataset.members().isLoose()) {
            dataset = listedAgain(dataset, paths);
        }
        byPaths.put(paths, dataset);
        users.merge(dataset, 1, Integer::sum);
        return dataset;
    }

    /**
     * The dataset that loose files are now. Files come and go, and are written again under the same name, without a trace
     * in the time of any folder; so only another listing tells whether the one at hand is still true.
     */
    private static Dataset listedAgain(Dataset known, List<String> paths) {
        Dataset now = Dataset.open(paths);
        if (now.fingerprint().equals(known.fingerprint())) {
            now.close();
            return known;
        }
        return now;
    }

    synchronized void release(Dataset dataset) {
        if (users.merge(dataset, -1, Integer::sum) == 0) {
            users.remove(dataset);
            byPaths.values().remove(dataset);
            dataset.close();
        }
    }
}
