package dev.stoker.formats.shared.array;

import dev.stoker.StokerException;
import dev.stoker.sample.Omissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Chooses which arrays of a container written by other software are the samples: those of the group with the most bytes,
 * at any depth, together with the groups beside it that have the same arrays, which then are splits; and of arrays
 * beside each other those with as many rows as the largest one. What is left out is an omission. A container of one array
 * or group for each sample is refused: its arrays must not be cut into rows.
 */
public final class ArrayChoice<A extends SampleArray> {
    /** Arrays that tell of something else than the samples have a number of rows that differs by more than this part. */
    private static final int NEAR = 10;

    private final Function<String, StokerException> refusal;
    private final SampleEach<A> each;
    private final Omissions omissions;

    /**
     * What was chosen.
     *
     * @param areSplits whether the groups are splits; else there is one, whose samples are in none
     */
    public record Chosen<A extends SampleArray>(List<ArrayGroup<A>> groups, boolean areSplits) {}

    /** Groups with the same arrays beside each other. */
    private record Kin(String parent, List<String> arrays) {}

    /**
     * For one container.
     *
     * @param refusal makes the sentence for what cannot be read
     * @param omissions gets what is left out
     */
    public ArrayChoice(Function<String, StokerException> refusal, Omissions omissions) {
        this.refusal = refusal;
        this.each = new SampleEach<>(refusal);
        this.omissions = omissions;
    }

    /** @param groups all groups, at any depth, by their paths */
    public Chosen<A> of(ArrayGroup<A> root, List<ArrayGroup<A>> groups) {
        Map<Kin, List<ArrayGroup<A>>> families = groups.stream()
                .filter(group -> !group.isEmpty())
                .collect(Collectors.groupingBy(ArrayChoice::kin, LinkedHashMap::new, Collectors.toList()));
        if (root.isEmpty() && families.isEmpty()) {
            throw refusal.apply("neither its root nor its groups have arrays that Stoker reads as samples"
                    + (omissions.isEmpty() ? "" : "; " + omissions));
        }
        List<ArrayGroup<A>> heaviest = List.of(root);
        for (List<ArrayGroup<A>> family : families.values()) {
            boolean isFirst = root.isEmpty() && isRoot(heaviest);
            heaviest = isFirst || weight(family) > weight(heaviest) ? family : heaviest;
        }
        omitOthers(root, families, heaviest);
        if (isRoot(heaviest)) {
            return ofRoot(root);
        }
        each.refuseGroups(heaviest);
        var splits = new ArrayList<ArrayGroup<A>>();
        for (ArrayGroup<A> group : heaviest) {
            splits.add(ofOneLength(group));
        }
        return new Chosen<>(splits, true);
    }

    private static <A extends SampleArray> Kin kin(ArrayGroup<A> group) {
        List<String> arrays = group.ofOneLength().keySet().stream().sorted().toList();
        return new Kin(group.parent(), arrays);
    }

    private static <A extends SampleArray> boolean isRoot(List<ArrayGroup<A>> groups) {
        return name(groups).isEmpty();
    }

    private static <A extends SampleArray> String name(List<ArrayGroup<A>> groups) {
        return groups.getFirst().name();
    }

    private static <A extends SampleArray> long weight(List<ArrayGroup<A>> groups) {
        return groups.stream().mapToLong(ArrayGroup::weight).reduce(0, (a, b) -> Math.min(a + b, Long.MAX_VALUE / 2));
    }

    private void omitOthers(ArrayGroup<A> root, Map<Kin, List<ArrayGroup<A>>> families, List<ArrayGroup<A>> chosen) {
        boolean isRoot = isRoot(chosen);
        String names = chosen.stream().map(ArrayGroup::name).collect(Collectors.joining(", "));
        String why = "the samples are the arrays of "
                + (isRoot ? "the root" : (chosen.size() == 1 ? "group " : "the groups ") + names);
        if (!isRoot) {
            root.arrays().forEach((name, array) -> omissions.add(name, what(array), why));
        }
        families.values().stream()
                .filter(family -> !name(family).equals(name(chosen)))
                .forEach(family -> family.forEach(group -> omissions.add(
                        group.name(),
                        "group of " + String.join(", ", group.arrays().keySet()),
                        why)));
    }

    private Chosen<A> ofRoot(ArrayGroup<A> root) {
        SplitNames<A> splits = SplitNames.of(root);
        if (splits == null) {
            return new Chosen<>(List.of(ofOneLength(root)), false);
        }
        splits.others()
                .forEach((name, array) -> omissions.add(
                        name,
                        what(array),
                        "the samples are those of the splits "
                                + String.join(", ", splits.splits().keySet())));
        return new Chosen<>(splits.groups().stream().map(this::ofOneLength).toList(), true);
    }

    private static String what(SampleArray array) {
        return array.count() + " rows of type " + array.type().label();
    }

    /**
     * The arrays with as many rows as the largest one. Those with other numbers of rows are left out: coordinates, means,
     * names of classes. But a list of nearly as many values may be labels of which some are missing, so it is refused.
     */
    private ArrayGroup<A> ofOneLength(ArrayGroup<A> group) {
        each.refuseArrays(group);
        String heaviest = group.heaviest();
        A largest = group.array(heaviest);
        group.arrays().forEach((name, array) -> {
            if (array.count() != largest.count()) {
                if (!array.isCoordinate() && SampleEach.isFlat(array) && isNear(array.count(), largest.count())) {
                    throw refusal.apply("the arrays of a group should have as many samples each, but '"
                            + group.path(heaviest) + "' has " + largest.count() + " and '" + group.path(name) + "' has "
                            + array.count() + "; store arrays that are not of the same samples in files of their own");
                }
                omissions.add(
                        group.path(name),
                        what(array),
                        "the samples are the " + largest.count() + " rows of " + group.path(heaviest));
            }
        });
        return new ArrayGroup<>(group.name(), group.ofOneLength());
    }

    private static boolean isNear(long count, long samples) {
        return Math.abs(count - samples) <= Math.max(1, samples / NEAR);
    }
}
