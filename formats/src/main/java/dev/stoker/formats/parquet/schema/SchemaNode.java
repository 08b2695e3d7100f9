package dev.stoker.formats.parquet.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column, or a group of columns.
 *
 * @param physical null for a group
 * @param width bytes of a fixed-length value; 0 for other types
 */
public record SchemaNode(
        String name,
        Repetition repetition,
        @Nullable PhysicalType physical,
        int width,
        LogicalType logical,
        List<SchemaNode> children) {
    public SchemaNode {
        children = List.copyOf(children);
    }

    public static SchemaNode column(String name, PhysicalType physical, int width, LogicalType logical) {
        return new SchemaNode(name, Repetition.REQUIRED, physical, width, logical, List.of());
    }

    public static SchemaNode group(String name, SchemaNode... children) {
        return new SchemaNode(name, Repetition.REQUIRED, null, 0, LogicalType.NONE, List.of(children));
    }

    /** A list as the specification wants it: neither it nor its elements are ever null. */
    public static SchemaNode list(String name, PhysicalType physical, int width, LogicalType logical) {
        var element = column("element", physical, width, logical);
        var repeated = new SchemaNode("list", Repetition.REPEATED, null, 0, LogicalType.NONE, List.of(element));
        return new SchemaNode(name, Repetition.REQUIRED, null, 0, LogicalType.LIST, List.of(repeated));
    }

    public boolean isGroup() {
        return physical == null;
    }

    /** The type as messages show it. */
    public String label() {
        if (logical == LogicalType.LIST && children.size() == 1) {
            return "LIST of " + elementLabel(children.getFirst());
        }
        if (logical != LogicalType.NONE) {
            return logical.name();
        }
        return physical == null ? "group" : physical.name();
    }

    /** What a list holds: its repeated group is not told of, unless that itself is the element. */
    private static String elementLabel(SchemaNode repeated) {
        boolean isAround = repeated.isGroup() && repeated.children().size() == 1;
        return (isAround ? repeated.children().getFirst() : repeated).label();
    }
}
