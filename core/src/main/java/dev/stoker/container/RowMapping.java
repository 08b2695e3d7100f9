package dev.stoker.container;

import dev.stoker.sample.Field;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which row of a container, as it is found when it is looked through, is which sample of its Index. Mostly the row of the
 * same number; but a program that makes a container, as mksquashfs, has an order of its own, and then keys tell.
 */
final class RowMapping {
    private static final long NONE = -1;

    private final long @Nullable [] rows;

    private RowMapping(long @Nullable [] rows) {
        this.rows = rows;
    }

    static RowMapping of(Container container, Container again) {
        int key = container.schema().find(Field.KEY);
        int other = again.schema().find(Field.KEY);
        long count = container.count();
        if (key < 0 || other < 0 || isSameOrder(container, key, again, other)) {
            return new RowMapping(null);
        }
        Map<String, Long> found = new HashMap<>();
        for (long row = 0; row < count; row++) {
            found.put(again.text(row, other), row);
        }
        var rows = new long[Math.toIntExact(count)];
        Arrays.setAll(rows, i -> found.getOrDefault(container.text(i, key), NONE));
        return new RowMapping(rows);
    }

    private static boolean isSameOrder(Container container, int key, Container again, int other) {
        for (long i = 0; i < container.count(); i++) {
            if (container.length(i, key) != again.length(i, other)
                    || !container.text(i, key).equals(again.text(i, other))) {
                return false;
            }
        }
        return true;
    }

    /** The row of a sample; negative if there is none. */
    long of(long sample) {
        return rows == null ? sample : rows[(int) sample];
    }
}
