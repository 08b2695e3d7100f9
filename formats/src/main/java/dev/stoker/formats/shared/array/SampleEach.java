package dev.stoker.formats.shared.array;

import dev.stoker.StokerException;
import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Refuses containers of one array or group for each sample: their arrays must not be cut into rows. */
final class SampleEach<A extends SampleArray> {
    /** Splits of one container, folds too, are fewer; more groups than this are samples. */
    private static final int MOST_SPLITS = 16;

    /** This many things that are numbered through do not occur by accident. */
    private static final int NUMBERED = 5;

    /** This many arrays of a kind that each look like a picture are samples, not fields. */
    private static final int PICTURES = 4;

    /** This many arrays of a kind that differ in length are samples, not fields, if there is no list of values. */
    private static final int ALIKE = 3;

    /** An array with more rows than this, each an array itself, is more than one sample. */
    private static final long MOST_ROWS_OF_ONE = 1 << 15;

    /** The greatest height of a picture. */
    private static final long HIGHEST = 4096;

    /** The greatest ratio of its sides. */
    private static final long FLATTEST = 8;

    /** The most channels of a pixel. */
    private static final long MOST_COLORS = 4;

    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    private final Function<String, StokerException> refusal;

    /** @param refusal makes the sentence for what cannot be read */
    SampleEach(Function<String, StokerException> refusal) {
        this.refusal = refusal;
    }

    /**
     * Arrays that are numbered through are one for each sample, if they have different lengths, or more than one dimension
     * and no other array has as many rows. So are arrays of any names that look like pictures, or differ in length.
     */
    void refuseArrays(ArrayGroup<A> group) {
        for (List<String> numbered : numbered(group.arrays().keySet())) {
            List<A> arrays = numbered.stream().map(group::array).toList();
            long count = arrays.getFirst().count();
            boolean areAlike = arrays.stream().allMatch(array -> array.count() == count);
            boolean areRows = group.arrays().entrySet().stream()
                    .anyMatch(array -> !numbered.contains(array.getKey())
                            && !DIGITS.matcher(array.getKey()).find()
                            && array.getValue().count() == count);
            if (!areAlike
                    || !areRows && count <= MOST_ROWS_OF_ONE && !arrays.stream().allMatch(SampleEach::isFlat)) {
                throw refused("arrays", numbered);
            }
        }
        long rows = group.array(group.heaviest()).count();
        boolean hasNumbers = group.arrays().values().stream().anyMatch(array -> isFlat(array) && array.count() == rows);
        if (!hasNumbers) {
            alike(group).forEach(names -> refuseAlike(group, names));
        }
    }

    private void refuseAlike(ArrayGroup<A> group, List<String> names) {
        List<A> arrays = names.stream().map(group::array).toList();
        long lengths = arrays.stream().mapToLong(SampleArray::count).distinct().count();
        boolean arePictures = arrays.size() >= PICTURES && arrays.stream().allMatch(SampleEach::isPicture);
        if (arePictures || arrays.size() >= ALIKE && lengths > 1 && names.contains(group.heaviest())) {
            throw refused("arrays", names);
        }
    }

    /** Arrays of numbers of one type and as many dimensions, by which they are alike. */
    private static <A extends SampleArray> Collection<List<String>> alike(ArrayGroup<A> group) {
        var alike = new LinkedHashMap<String, List<String>>();
        group.arrays().forEach((name, array) -> {
            if (array.type() instanceof FieldType.Tensor tensor && array.count() <= MOST_ROWS_OF_ONE) {
                String kind = tensor.dtype().label() + tensor.shape().size();
                alike.computeIfAbsent(kind, _ -> new ArrayList<>()).add(name);
            }
        });
        return alike.values();
    }

    /** Height x width of small numbers, and perhaps a color of each. */
    private static boolean isPicture(SampleArray array) {
        if (!(array.type() instanceof FieldType.Tensor tensor)
                || tensor.dtype() != DType.UINT8 && tensor.dtype() != DType.UINT16) {
            return false;
        }
        List<Long> row = tensor.shape();
        boolean isColored = row.size() == 2 && row.get(1) <= MOST_COLORS;
        long width = row.getFirst();
        long height = array.count();
        return (row.size() == 1 || isColored)
                && height <= HIGHEST
                && width <= FLATTEST * height
                && height <= FLATTEST * width;
    }

    /** @param groups beside each other, with the same arrays */
    void refuseGroups(List<ArrayGroup<A>> groups) {
        List<String> names = groups.stream().map(ArrayGroup::name).toList();
        boolean areNumbered = numbered(names).stream().anyMatch(alike -> alike.size() == groups.size());
        if (groups.size() > MOST_SPLITS || areNumbered && groups.stream().noneMatch(SampleEach::isLikeSplit)) {
            throw refused("groups", names);
        }
    }

    /** A split has arrays with as many rows as its largest one, and one of them has a number or text in each. */
    private static <A extends SampleArray> boolean isLikeSplit(ArrayGroup<A> group) {
        List<A> rows = List.copyOf(group.ofOneLength().values());
        return rows.size() > 1 && rows.stream().anyMatch(SampleEach::isFlat);
    }

    /** Whether a row is a single value, not an array of numbers. */
    static boolean isFlat(@Nullable SampleArray array) {
        return array != null && !(array.type() instanceof FieldType.Tensor);
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

    private StokerException refused(String what, List<String> found) {
        List<String> names = found.stream().sorted().toList();
        return refusal.apply("its " + names.size() + " " + what + " '" + names.get(0) + "', '" + names.get(1)
                + "', … look like one for each sample, and Stoker takes the rows of an array for samples; store each"
                + " field of all samples as one array, for example with numpy.stack, or each sample as a .npy file in a"
                + " folder");
    }
}
