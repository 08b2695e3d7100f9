package dev.stoker.fuzz;

import dev.stoker.StokerException;
import dev.stoker.container.Container;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Schema;
import dev.stoker.sample.Split;
import dev.stoker.testkit.Same;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** All that a container holds, as bytes; indexed by field and sample. */
record Values(Schema schema, List<Split> splits, byte[][][] bytes, long[][][] shapes) {
    /** Stands among samples for what all have in common: the schema, their number. */
    static final long NOT_OF_A_SAMPLE = -1;

    static Values of(Container container) {
        int fields = container.schema().size();
        int count = Math.toIntExact(container.count());
        var bytes = new byte[fields][count][];
        var shapes = new long[fields][count][];
        for (int f = 0; f < fields; f++) {
            for (int i = 0; i < count; i++) {
                bytes[f][i] = Same.bytes(container, i, f);
                shapes[f][i] = shape(container, i, f);
            }
        }
        return new Values(container.schema(), container.splits(), bytes, shapes);
    }

    private static long[] shape(Container container, long sample, int field) {
        return container.schema().type(field) instanceof FieldType.Array ? container.shape(sample, field) : new long[0];
    }

    /** The samples that are read differently now, or cannot be read. */
    Set<Long> differing(Container container) {
        var differing = new TreeSet<Long>();
        boolean isSame = container.schema().equals(schema)
                && container.splits().equals(splits)
                && container.count() == bytes[0].length;
        if (!isSame) {
            differing.add(NOT_OF_A_SAMPLE);
            return differing;
        }
        for (int f = 0; f < bytes.length; f++) {
            for (int i = 0; i < bytes[f].length; i++) {
                if (!isSame(container, i, f)) {
                    differing.add((long) i);
                }
            }
        }
        return differing;
    }

    private boolean isSame(Container container, int sample, int field) {
        try {
            return container.length(sample, field) == bytes[field][sample].length
                    && Arrays.equals(Same.bytes(container, sample, field), bytes[field][sample])
                    && Arrays.equals(shape(container, sample, field), shapes[field][sample]);
        } catch (StokerException e) {
            return false;
        }
    }
}
