package dev.stoker.formats.shared.array;

import dev.stoker.StokerException;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Omissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Chooses which arrays of a container written by other software are the samples: those of the root or those of its groups,
 * whichever have more bytes; and of arrays beside each other those with as many rows as the largest one. What is left
 * out is an omission. A container of one array or group for each sample is refused: its arrays must not be cut into rows.
 */
public final class ArrayChoice<A extends SampleArray> {
    private static final Set<String> SPLITS =
            Set.of("train", "training", "test", "testing", "val", "valid", "validation", "dev", "eval");

    /** Splits of one container, folds too, are fewer; more groups than this are samples. */
    private static final int MOST_SPLITS = 16;

    /** So many things that are numbered through do not occur by accident. */
    private static final int NUMBERED = 5;

    /** An array with more rows than this, each an array itself, is more than one sample. */
    private static final long MOST_ROWS_OF_ONE = 1 << 15;

    /** Arrays that tell of something else than the samples are smaller by this factor. */
    private static final int SMALLER = 10;

    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    private final Function<String, StokerException> refusal;
    private final Omissions omissions;

    /**
     * What was chosen.
     *
     * @param areSplits whether the groups are splits; else there is one, whose samples are in none
     */
    public record Chosen<A extends SampleArray>(List<ArrayGroup<A>> groups, boolean areSplits) {}

    /**
     * For one container.
     *
     * @param refusal makes the sentence for what cannot be read
     * @param omissions gets what is left out
     */
    public ArrayChoice(Function<String, StokerException> refusal, Omissions omissions) {
        this.refusal = refusal;
        this.omissions = omissions;
    }

    public Chosen<A> of(ArrayGroup<A> root, List<ArrayGroup<A>> groups) {
        List<ArrayGroup<A>> full =
                groups.stream().filter(group -> !group.isEmpty()).toList();
        if (root.isEmpty() && full.isEmpty()) {
            throw refusal.apply("neither its root nor the groups there have arrays that Stoker reads as samples"
                    + (omissions.isEmpty() ? "" : "; " + omissions));
        }
        long inGroups =
                full.stream().mapToLong(ArrayGroup::weight).reduce(0, (a, b) -> Math.min(a + b, Long.MAX_VALUE / 2));
        if (!root.isEmpty() && root.weight() >= inGroups) {
            full.forEach(group -> omissions.add(
                    group.name(),
                    "group of " + String.join(", ", group.arrays().keySet()),
                    "the arrays beside it are the samples"));
            return ofArrays(root);
        }
        root.arrays()
                .forEach((name, array) -> omissions.add(name, what(array), "the groups beside it are the samples"));
        refuseGroupPerSample(full);
        return new Chosen<>(full.stream().map(this::ofOneLength).toList(), true);
    }

    private Chosen<A> ofArrays(ArrayGroup<A> root) {
        List<ArrayGroup<A>> splits = splitsByName(root);
        if (!splits.isEmpty()) {
            return new Chosen<>(splits.stream().map(this::ofOneLength).toList(), true);
        }
        return new Chosen<>(List.of(ofOneLength(root)), false);
    }

    private static String what(SampleArray array) {
        return array.count() + " rows of type " + array.type().label();
    }

    /**
     * The arrays with as many rows as the largest one. Smaller ones with other numbers of rows are left out: coordinates,
     * means, names of classes. Any other array that differs may be labels of which some are missing, so it is refused.
     */
    private ArrayGroup<A> ofOneLength(ArrayGroup<A> group) {
        refuseArrayPerSample(group);
        String heaviest = group.heaviest();
        A largest = group.array(heaviest);
        var same = new LinkedHashMap<String, A>();
        group.arrays().forEach((name, array) -> {
            if (array.count() == largest.count()) {
                same.put(name, array);
            } else if (array.isCoordinate() || isBeside(array, largest)) {
                omissions.add(
                        group.path(name),
                        what(array),
                        "the samples are the " + largest.count() + " rows of " + group.path(heaviest));
            } else {
                throw refusal.apply("the arrays of a group should have as many samples each, but '"
                        + group.path(heaviest) + "' has " + largest.count() + " and '" + group.path(name) + "' has "
                        + array.count() + "; store arrays that are not of the same samples in files of their own");
            }
        });
        return new ArrayGroup<>(group.name(), same);
    }

    /** Whether an array of another number of rows is so much smaller, in both, that it tells of something else. */
    private static boolean isBeside(SampleArray array, SampleArray samples) {
        long difference = Math.abs(array.count() - samples.count());
        return ArrayGroup.weight(array) <= ArrayGroup.weight(samples) / SMALLER
                && difference > samples.count() / SMALLER;
    }

    /**
     * Splits that the names of arrays tell of, as {@code x_train} and {@code x_test}; none if these are not the same fields
     * in different numbers, as the columns of a table are.
     */
    private List<ArrayGroup<A>> splitsByName(ArrayGroup<A> root) {
        var splits = new LinkedHashMap<String, Map<String, A>>();
        var others = new LinkedHashMap<String, A>();
        root.arrays().forEach((name, array) -> {
            SplitName found = SplitName.of(name);
            if (found == null) {
                others.put(name, array);
            } else {
                splits.computeIfAbsent(found.split, _ -> new LinkedHashMap<>()).put(found.field, array);
            }
        });
        long lengths = root.arrays().values().stream()
                .mapToLong(SampleArray::count)
                .distinct()
                .count();
        long fields = splits.values().stream().map(Map::keySet).distinct().count();
        if (splits.size() < 2 || lengths < 2 || fields > 1) {
            return List.of();
        }
        others.forEach((name, array) -> omissions.add(
                name, what(array), "the samples are those of the splits " + String.join(", ", splits.keySet())));
        var groups = new ArrayList<ArrayGroup<A>>();
        splits.forEach((split, arrays) -> groups.add(new ArrayGroup<>(split, arrays)));
        return groups;
    }

    /** The name of an array as {@code y_train}: a split and a field. */
    private record SplitName(String split, String field) {
        static @Nullable SplitName of(String name) {
            var rest = new ArrayList<String>();
            String split = null;
            for (String word : name.split("[_.-]")) {
                if (split == null && SPLITS.contains(word.toLowerCase(Locale.ROOT))) {
                    split = word.toLowerCase(Locale.ROOT);
                } else {
                    rest.add(word);
                }
            }
            return split == null ? null : new SplitName(split, rest.isEmpty() ? Field.DATA : String.join("_", rest));
        }
    }

    /**
     * Arrays that are numbered through are one for each sample, if they have different lengths, or more than one dimension
     * and no other array has as many rows.
     */
    private void refuseArrayPerSample(ArrayGroup<A> group) {
        for (List<String> numbered : numbered(group.arrays().keySet())) {
            List<A> arrays = numbered.stream().map(group::array).toList();
            long count = arrays.getFirst().count();
            boolean areAlike = arrays.stream().allMatch(array -> array.count() == count);
            boolean areRows = group.arrays().entrySet().stream()
                    .anyMatch(array -> !numbered.contains(array.getKey())
                            && !DIGITS.matcher(array.getKey()).find()
                            && array.getValue().count() == count);
            if (!areAlike
                    || !areRows && count <= MOST_ROWS_OF_ONE && !arrays.stream().allMatch(ArrayChoice::isFlat)) {
                throw perSample("arrays", numbered);
            }
        }
    }

    private void refuseGroupPerSample(List<ArrayGroup<A>> groups) {
        List<String> names = groups.stream().map(ArrayGroup::name).toList();
        boolean areNumbered = numbered(names).stream().anyMatch(alike -> alike.size() == groups.size());
        if (groups.size() > MOST_SPLITS || areNumbered && groups.stream().noneMatch(ArrayChoice::isLikeSplit)) {
            throw perSample("groups", names);
        }
    }

    /** A split has arrays with as many rows as its largest one, and one of them has a number or text in each. */
    private static <A extends SampleArray> boolean isLikeSplit(ArrayGroup<A> group) {
        long count = group.array(group.heaviest()).count();
        List<A> rows = group.arrays().values().stream()
                .filter(array -> array.count() == count)
                .toList();
        return rows.size() > 1 && rows.stream().anyMatch(ArrayChoice::isFlat);
    }

    /** Whether a row is a single value, not an array of numbers. */
    private static boolean isFlat(SampleArray array) {
        return !(array.type() instanceof FieldType.Tensor);
    }

    /** Names that differ in their numbers alone, if these are at least a third of all. */
    private static List<List<String>> numbered(Collection<String> names) {
        Map<String, List<String>> alike = names.stream()
                .filter(name -> DIGITS.matcher(name).find())
                .collect(Collectors.groupingBy(
                        name -> DIGITS.matcher(name).replaceAll("0"), LinkedHashMap::new, Collectors.toList()));
        return alike.values().stream()
                .filter(some -> some.size() >= NUMBERED && 3 * some.size() >= names.size())
                .toList();
    }

    private StokerException perSample(String what, List<String> found) {
        List<String> names = found.stream().sorted().toList();
        return refusal.apply("its " + names.size() + " " + what + " '" + names.get(0) + "', '" + names.get(1)
                + "', … look like one for each sample, and Stoker takes the rows of an array for samples; store each"
                + " field of all samples as one array, for example with numpy.stack, or each sample as a .npy file in a"
                + " folder");
    }
}
