package dev.stoker.formats.shared.table;

import dev.stoker.index.Placement;
import dev.stoker.sample.FieldType;

/** What is the same of a column in every table. */
public final class TableColumns {
    private TableColumns() {}

    /** What a column is called as a field, which has to have a name: pandas writes an index without one. */
    public static String fieldName(String column) {
        return column.isEmpty() ? "unnamed" : column;
    }

    /** Where the values of a field lie. */
    public static Placement placement(FieldType type) {
        if (type instanceof FieldType.Texts) {
            return Placement.indexed(false);
        }
        return type.isFixed() && type.width() <= Placement.NARROW ? Placement.indexed(true) : Placement.stored();
    }
}
