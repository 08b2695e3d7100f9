package dev.stoker.formats.parquet.read;

import dev.stoker.formats.parquet.schema.PhysicalType;
import dev.stoker.formats.parquet.schema.SchemaNode;
import java.util.Objects;

/**
 * A column that holds values, as it is read.
 *
 * @param number its place among all columns that do, in the order of the schema
 * @param name its path, with dots
 * @param width bytes of a value in a page; -1 if each has its own, or a bit
 * @param most the highest repetition level: 1 in a list
 * @param present the definition level of a value that is not null
 * @param element the definition level from which on there is an element of the list
 */
record Leaf(int number, String name, SchemaNode node, int width, int most, int present, int element) {
    /** Whether there is no list, not even an empty one. */
    boolean isNullList(int definition) {
        return definition < element - 1;
    }

    PhysicalType physical() {
        return Objects.requireNonNull(node.physical());
    }
}
