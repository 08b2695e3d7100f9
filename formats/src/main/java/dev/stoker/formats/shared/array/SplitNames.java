package dev.stoker.formats.shared.array;

import dev.stoker.sample.Field;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Splits that the names of arrays tell of, as {@code x_train} and {@code x_test}.
 *
 * @param splits for each split its fields
 * @param others the arrays whose names tell of none
 */
record SplitNames<A extends SampleArray>(Map<String, Map<String, A>> splits, Map<String, A> others) {
    private static final Set<String> SPLITS =
            Set.of("train", "training", "test", "testing", "val", "valid", "validation", "dev", "eval");

    /** The splits; none if these are not the same fields in different numbers, as the columns of a table are. */
    static <A extends SampleArray> @Nullable SplitNames<A> of(ArrayGroup<A> group) {
        var found = new SplitNames<A>(new LinkedHashMap<>(), new LinkedHashMap<>());
        group.arrays().forEach(found::add);
        long lengths = group.arrays().values().stream()
                .mapToLong(SampleArray::count)
                .distinct()
                .count();
        long fields = found.splits.values().stream().map(Map::keySet).distinct().count();
        return found.splits.size() < 2 || lengths < 2 || fields > 1 ? null : found;
    }

    List<ArrayGroup<A>> groups() {
        var groups = new ArrayList<ArrayGroup<A>>();
        splits.forEach((split, arrays) -> groups.add(new ArrayGroup<>(split, arrays)));
        return groups;
    }

    private void add(String name, A array) {
        var rest = new ArrayList<String>();
        String split = null;
        for (String word : name.split("[_.-]")) {
            if (split == null && SPLITS.contains(word.toLowerCase(Locale.ROOT))) {
                split = word.toLowerCase(Locale.ROOT);
            } else {
                rest.add(word);
            }
        }
        if (split == null) {
            others.put(name, array);
        } else {
            String field = rest.isEmpty() ? Field.DATA : String.join("_", rest);
            splits.computeIfAbsent(split, _ -> new LinkedHashMap<>()).put(field, array);
        }
    }
}
