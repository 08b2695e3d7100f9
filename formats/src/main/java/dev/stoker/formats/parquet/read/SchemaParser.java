package dev.stoker.formats.parquet.read;

import dev.stoker.formats.parquet.schema.LogicalType;
import dev.stoker.formats.parquet.schema.LogicalTypeCodec;
import dev.stoker.formats.parquet.schema.PhysicalType;
import dev.stoker.formats.parquet.schema.Repetition;
import dev.stoker.formats.parquet.schema.SchemaNode;
import dev.stoker.formats.parquet.thrift.ThriftReader;
import dev.stoker.formats.parquet.thrift.ThriftType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the schema: a tree, flattened into a list with every group before its children. */
final class SchemaParser {
    private static final int DEEPEST = 64;

    private final ThriftReader from;
    private final List<Element> elements = new ArrayList<>();
    private int next;

    /** An entry of the list. */
    private record Element(
            String name,
            Repetition repetition,
            @Nullable PhysicalType physical,
            int width,
            LogicalType logical,
            int children) {}

    SchemaParser(ThriftReader from) {
        this.from = from;
    }

    SchemaNode read() {
        int count = from.list(ThriftType.STRUCT);
        for (int i = 0; i < count; i++) {
            elements.add(element());
        }
        SchemaNode root = node(0);
        if (next != elements.size()) {
            throw from.corrupt("the schema has " + elements.size() + " entries but " + next + " in its tree");
        }
        return root;
    }

    private Element element() {
        int type = -1;
        int width = 0;
        int repetition = 0;
        String name = null;
        int children = 0;
        LogicalType converted = LogicalType.NONE;
        LogicalType logical = LogicalType.NONE;
        from.enter();
        for (int field = from.next(); field != 0; field = from.next()) {
            switch (field) {
                case 1 -> type = within(from.i32(), PhysicalType.values().length, "type");
                case 2 -> width = from.i32();
                case 3 -> repetition = within(from.i32(), Repetition.values().length, "repetition");
                case 4 -> name = from.text();
                case 5 -> children = within(from.i32(), Integer.MAX_VALUE, "number of children");
                case 6 -> converted = LogicalTypeCodec.converted(from.i32());
                case 10 -> logical = LogicalTypeCodec.read(from);
                default -> from.skip();
            }
        }
        from.leave();
        if (name == null) {
            throw from.corrupt("a column has no name");
        }
        PhysicalType physical = type < 0 ? null : PhysicalType.values()[type];
        if (physical == PhysicalType.FIXED_LEN_BYTE_ARRAY && width < 0) {
            throw from.corrupt("column '" + name + "' has values of " + width + " bytes");
        }
        if (physical != null && children > 0) {
            throw from.corrupt("column '" + name + "' has both a type and children");
        }
        return new Element(
                name,
                Repetition.values()[repetition],
                physical,
                width,
                logical == LogicalType.NONE ? converted : logical,
                children);
    }

    private int within(int value, int end, String what) {
        if (value < 0 || value >= end) {
            throw from.corrupt("a column has the unknown " + what + " " + value);
        }
        return value;
    }

    private SchemaNode node(int depth) {
        if (next == elements.size() || depth == DEEPEST) {
            throw from.corrupt("the schema has groups without children, or is more than " + DEEPEST + " deep");
        }
        Element element = elements.get(next++);
        var children = new ArrayList<SchemaNode>();
        for (int c = 0; c < element.children; c++) {
            children.add(node(depth + 1));
        }
        return new SchemaNode(
                element.name, element.repetition, element.physical, element.width, element.logical, children);
    }
}
