package dev.stoker.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stoker.container.Container;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import java.lang.foreign.MemorySegment;
import java.util.function.Predicate;

/** Compares samples, value by value. */
public final class Same {
    private Same() {}

    /** Everything is the same: schema, class names, splits, values, shapes. */
    public static void assertSame(Samples actual, Samples expected) {
        assertThat(actual.schema()).isEqualTo(expected.schema());
        assertThat(actual.splits()).isEqualTo(expected.splits());
        assertSameFields(actual, expected, field -> true);
    }

    /** The values of some fields are the same, whatever place these have in the schemas. */
    public static void assertSameFields(Samples actual, Samples expected, Predicate<Field> which) {
        assertThat(actual.count()).as("samples").isEqualTo(expected.count());
        for (Field field : expected.schema().fields()) {
            if (which.test(field)) {
                int found = actual.schema().place(field.name());
                assertThat(actual.schema().type(found)).isEqualTo(field.type());
                for (long i = 0; i < expected.count(); i++) {
                    assertSameValue(actual, found, expected, i, field);
                }
            }
        }
    }

    private static void assertSameValue(Samples actual, int place, Samples expected, long sample, Field field) {
        int expectedPlace = expected.schema().place(field.name());
        assertThat(bytes(actual, sample, place))
                .as("field '%s' of sample %d", field.name(), sample)
                .isEqualTo(bytes(expected, sample, expectedPlace));
        if (field.type() instanceof FieldType.Array) {
            assertThat(actual.shape(sample, place))
                    .as("shape of field '%s' of sample %d", field.name(), sample)
                    .isEqualTo(expected.shape(sample, expectedPlace));
        }
    }

    /** A copy of a value. */
    public static byte[] bytes(Samples samples, long sample, int field) {
        var bytes = new byte[Math.toIntExact(samples.length(sample, field))];
        samples.read(sample, field, 0, MemorySegment.ofArray(bytes));
        return bytes;
    }

    /** Whether every checksum that a container has still fits; a damaged Index throws. */
    public static boolean isIntact(Container container) {
        container.index().verify();
        for (int f = 0; f < container.schema().size(); f++) {
            for (long i = 0; i < container.count(); i++) {
                if (!container.isIntact(i, f)) {
                    return false;
                }
            }
        }
        return true;
    }
}
