package dev.stoker.formats.parquet;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column, or a group of columns.
 *
 * @param physical null for a group
 * @param width bytes of a fixed-length value; 0 for other types
 */
record SchemaNode(
        String name,
        Repetition repetition,
        @Nullable Physical physical,
        int width,
        Logical logical,
        List<SchemaNode> children) {
    SchemaNode {
        children = List.copyOf(children);
    }

    static SchemaNode column(String name, Physical physical, int width, Logical logical) {
        return new SchemaNode(name, Repetition.REQUIRED, physical, width, logical, List.of());
    }

    static SchemaNode group(String name, SchemaNode... children) {
        return new SchemaNode(name, Repetition.REQUIRED, null, 0, Logical.NONE, List.of(children));
    }

    /** A list as the specification wants it: neither it nor its elements are ever null. */
    static SchemaNode list(String name, Physical physical, int width, Logical logical) {
        var element = column("element", physical, width, logical);
        var repeated = new SchemaNode("list", Repetition.REPEATED, null, 0, Logical.NONE, List.of(element));
        return new SchemaNode(name, Repetition.REQUIRED, null, 0, Logical.LIST, List.of(repeated));
    }

    boolean isGroup() {
        return physical == null;
    }

    /** The type as messages show it. */
    String label() {
        if (physical == null) {
            return logical == Logical.NONE ? "group" : logical.name();
        }
        return logical == Logical.NONE ? physical.name() : physical.name() + " (" + logical.name() + ")";
    }
}
