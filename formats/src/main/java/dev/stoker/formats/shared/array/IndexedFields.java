package dev.stoker.formats.shared.array;

import dev.stoker.index.Placement;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;

/** The fields whose values the Index keeps itself, whether or not the container has them too. */
public final class IndexedFields {
    private IndexedFields() {}

    public static boolean has(Field field) {
        FieldType type = field.type();
        boolean isNarrow = type.isFixed() && type.width() <= Placement.NARROW;
        boolean isKey = field.name().equals(Field.KEY) && type instanceof FieldType.Text;
        return isNarrow || isKey || type instanceof FieldType.Texts;
    }
}
