package dev.stoker.formats.shared.array;

import dev.stoker.index.IndexBuilder;
import dev.stoker.sample.Field;
import dev.stoker.sample.Omissions;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;

/** Makes samples of the arrays of groups: each group is a split, each of its arrays a field. */
public final class Groups {
    private final Origin origin;

    public Groups(Origin origin) {
        this.origin = origin;
    }

    /**
     * Samples that Stoker wrote.
     *
     * @param readers the readers of all fields in the group of this name
     */
    public IndexBuilder written(StokerAttribute stoker, Function<String, List<ColumnReader>> readers) {
        List<String> names = stoker.splits().isEmpty() ? List.of(Part.WHOLE) : stoker.splits();
        var groups = new ArrayList<List<ColumnReader>>();
        var splits = new ArrayList<Split>();
        long first = 0;
        for (String name : names) {
            List<ColumnReader> ofGroup = readers.apply(name);
            long count = commonCount(ofGroup);
            splits.add(new Split(name, first, count));
            first += count;
            groups.add(ofGroup);
        }
        return new IndexFiller(origin, stoker.schema(), groups)
                .fill(stoker.splits().isEmpty() ? List.of() : splits);
    }

    /** Samples by other software: the arrays of the root or of groups below, as {@link ArrayChoice} says. */
    public IndexBuilder foreign(
            ArrayGroup<ColumnReader> root, List<ArrayGroup<ColumnReader>> below, Omissions omissions) {
        var chosen = new ArrayChoice<ColumnReader>(origin::unsupported, omissions).of(root, below);
        List<ArrayGroup<ColumnReader>> groups = chosen.groups();
        var splits = new ArrayList<Split>();
        long first = 0;
        for (ArrayGroup<ColumnReader> group : groups) {
            long count = commonCount(List.copyOf(group.arrays().values()));
            splits.add(new Split(group.name().isEmpty() ? Part.WHOLE : group.lastName(), first, count));
            first += count;
            group.arrays().forEach((name, reader) -> {
                reader.requireReadable();
                reader.tell(group.path(name), omissions);
            });
        }
        requireSameFields(groups);
        return fill(groups, chosen.areSplits() ? splits : List.of()).omit(omissions);
    }

    private long commonCount(List<ColumnReader> readers) {
        ColumnReader first = readers.getFirst();
        for (ColumnReader reader : readers) {
            if (reader.count() != first.count()) {
                throw origin.unsupported("the arrays of a group should have as many samples each, but "
                        + first.label() + " has " + first.count() + " and " + reader.label() + " has "
                        + reader.count());
            }
        }
        return first.count();
    }

    private void requireSameFields(List<ArrayGroup<ColumnReader>> groups) {
        ArrayGroup<ColumnReader> first = groups.getFirst();
        for (ArrayGroup<ColumnReader> group : groups) {
            var names = new TreeSet<>(first.arrays().keySet());
            if (!names.equals(new TreeSet<>(group.arrays().keySet()))) {
                throw origin.unsupported("groups are splits and should have the same arrays, but '" + first.name()
                        + "' has " + names + " and '" + group.name() + "' has "
                        + new TreeSet<>(group.arrays().keySet()));
            }
            first.arrays().forEach((name, reader) -> {
                ColumnReader other = group.arrays().get(name);
                if (other != null && !reader.type().equals(other.type())) {
                    throw origin.unsupported("groups are splits and should hold the same, but " + reader.label()
                            + " is not as " + other.label());
                }
            });
        }
    }

    private IndexBuilder fill(List<ArrayGroup<ColumnReader>> groups, List<Split> splits) {
        Map<String, ColumnReader> first = groups.getFirst().arrays();
        var fields = new ArrayList<Field>();
        first.forEach((name, reader) -> fields.add(new Field(logicalName(name, first), reader.type())));
        var readers = new ArrayList<List<ColumnReader>>();
        for (ArrayGroup<ColumnReader> group : groups) {
            var row = new ArrayList<ColumnReader>();
            first.keySet()
                    .forEach(name ->
                            row.add(Objects.requireNonNull(group.arrays().get(name))));
            readers.add(row);
        }
        return new IndexFiller(origin, new Schema(fields), readers).fill(splits);
    }

    /** What courses call images and targets are the data and label of a sample. */
    private static String logicalName(String array, Map<String, ColumnReader> arrays) {
        for (Map.Entry<String, String> usual : DiskNames.USUAL.entrySet()) {
            if (usual.getValue().equals(array) && !arrays.containsKey(usual.getKey())) {
                return usual.getKey();
            }
        }
        return array;
    }
}
