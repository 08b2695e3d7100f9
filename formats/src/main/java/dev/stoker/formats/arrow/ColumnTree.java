package dev.stoker.formats.arrow;

import dev.stoker.formats.arrow.BatchCursor.Node;
import dev.stoker.formats.arrow.BatchCursor.Validity;
import dev.stoker.sample.Omission;
import dev.stoker.sample.Omissions;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a file as fields: those of a struct are fields by their paths, as {@code image.bytes}, and what Stoker
 * does not read is left out.
 */
final class ColumnTree {
    private final Function<ArrowField, @Nullable ColumnReader> readers;
    private final Omissions omissions;
    private final BitSet toCopy;
    private final List<Leaf> leaves = new ArrayList<>();
    private final List<Part> parts = new ArrayList<>();

    /** A column that is a field, and its path. */
    record Leaf(String name, ColumnReader reader) {}

    /** A column or a part of one, in the order of the nodes and buffers. */
    private sealed interface Part {
        record Field(int number) implements Part {}

        record Struct(List<Part> parts) implements Part {}

        record Skipped(ArrowField field) implements Part {}
    }

    /**
     * Finds the columns.
     *
     * @param readers gives the reader of a column, or null if its type is not read
     * @param toCopy the numbers of the fields whose values have to be copied
     */
    ColumnTree(
            List<ArrowField> columns,
            Function<ArrowField, @Nullable ColumnReader> readers,
            BitSet toCopy,
            Omissions omissions) {
        this.toCopy = toCopy;
        this.readers = readers;
        this.omissions = omissions;
        for (ArrowField column : columns) {
            parts.add(part(column.name(), column));
        }
    }

    List<Leaf> leaves() {
        return leaves;
    }

    private Part part(String path, ArrowField field) {
        ColumnReader reader = readers.apply(field);
        if (reader != null) {
            leaves.add(new Leaf(path, toCopy.get(leaves.size()) ? reader.copying() : reader));
            return new Part.Field(leaves.size() - 1);
        }
        if (!(field.type() instanceof ArrowType.Struct)
                || field.dictionary() != null
                || field.children().isEmpty()) {
            omissions.add(path, "column of type " + field.label(), Omission.NO_SUCH_TYPE);
            return new Part.Skipped(field);
        }
        var inner = new ArrayList<Part>();
        for (ArrowField child : field.children()) {
            inner.add(part(path + "." + child.name(), child));
        }
        return new Part.Struct(inner);
    }

    /** Reads all columns of a record batch. */
    void read(BatchCursor batch, List<ValueSink> sinks) {
        for (Part part : parts) {
            read(part, batch, sinks);
        }
    }

    private void read(Part part, BatchCursor batch, List<ValueSink> sinks) {
        switch (part) {
            case Part.Field field -> leaves.get(field.number).reader.read(batch, sinks.get(field.number));
            case Part.Skipped skipped -> batch.skip(skipped.field);
            case Part.Struct struct -> {
                Node node = batch.column();
                Validity validity = batch.validity(node);
                List<ValueSink> inner = validity.hasNulls() ? masked(sinks, validity, batch) : sinks;
                for (Part child : struct.parts) {
                    read(child, batch, inner);
                }
            }
        }
    }

    /** Where a struct is null, its parts are, whatever they hold there. */
    private List<ValueSink> masked(List<ValueSink> sinks, Validity validity, BatchCursor batch) {
        var masked = new ArrayList<ValueSink>();
        for (int f = 0; f < sinks.size(); f++) {
            masked.add(new MaskedSink(sinks.get(f), leaves.get(f), validity, batch));
        }
        return masked;
    }
}
