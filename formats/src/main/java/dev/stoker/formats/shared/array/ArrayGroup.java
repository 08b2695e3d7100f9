package dev.stoker.formats.shared.array;

import dev.stoker.sample.FieldType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Arrays that lie beside each other, by their names.
 *
 * @param name of the group, its path; empty for the root
 */
public record ArrayGroup<A extends SampleArray>(String name, Map<String, A> arrays) {
    /** What counts for a value of any length, where arrays are weighed: pictures are long, names short. */
    private static final long VARIABLE_BYTES = 4096;

    private static final long TEXT_BYTES = 32;

    public ArrayGroup {
        arrays = new LinkedHashMap<>(arrays);
    }

    boolean isEmpty() {
        return arrays.isEmpty();
    }

    /** One of its arrays. */
    public A array(String array) {
        return Objects.requireNonNull(arrays.get(array));
    }

    /** The path of one of its arrays. */
    String path(String array) {
        return name.isEmpty() ? array : name + "/" + array;
    }

    /** The path of the group that it lies in. */
    String parent() {
        return name.substring(0, Math.max(0, name.lastIndexOf('/')));
    }

    /** What the group is called in the one that it lies in. */
    String lastName() {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    /** The arrays with as many rows as the heaviest one. */
    Map<String, A> ofOneLength() {
        long count = array(heaviest()).count();
        var same = new LinkedHashMap<>(arrays);
        same.values().removeIf(array -> array.count() != count);
        return same;
    }

    /** About how many bytes its arrays have. */
    long weight() {
        long weight = 0;
        for (A array : arrays.values()) {
            weight = saturated(weight + weight(array));
        }
        return weight;
    }

    /** The name of the array with the most bytes; there is at least one. */
    String heaviest() {
        String heaviest = arrays.keySet().iterator().next();
        long most = -1;
        for (Map.Entry<String, A> array : arrays.entrySet()) {
            if (weight(array.getValue()) > most) {
                heaviest = array.getKey();
                most = weight(array.getValue());
            }
        }
        return heaviest;
    }

    static long weight(SampleArray array) {
        FieldType type = array.type();
        boolean isText = type instanceof FieldType.Text || type instanceof FieldType.Texts;
        long width = type.isFixed() ? Math.max(1, type.width()) : isText ? TEXT_BYTES : VARIABLE_BYTES;
        return array.count() > Long.MAX_VALUE / 4 / width ? Long.MAX_VALUE / 4 : array.count() * width;
    }

    private static long saturated(long weight) {
        return Math.min(weight, Long.MAX_VALUE / 2);
    }
}
