package dev.stoker.formats.parquet.read;

import dev.stoker.StokerException;
import dev.stoker.formats.parquet.schema.LogicalType;
import dev.stoker.formats.parquet.schema.PhysicalType;
import dev.stoker.formats.parquet.schema.Repetition;
import dev.stoker.formats.parquet.schema.SchemaNode;
import dev.stoker.formats.parquet.write.ColumnWriters;
import dev.stoker.formats.shared.table.ColumnMetadata;
import dev.stoker.formats.shared.table.TableColumns;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Omission;
import dev.stoker.sample.Omissions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the fields in a schema: each column that holds values, or list of them, is one. In a group it is called by its
 * path, as {@code image.bytes}.
 */
final class FieldFinder {
    /** A column's path is as long as its groups are deep; nobody reads longer ones. */
    private static final int LONGEST_PATH = 4096;

    /** Each field has its path, so that a small file could ask for any memory. */
    private static final int MOST_FIELDS = 10_000;

    private final String file;
    private final List<Found> fields = new ArrayList<>();
    private final Omissions omissions = new Omissions();
    private int leaves;

    /**
     * A field and the columns that hold it.
     *
     * @param shapes the column of its shapes, if it has one
     */
    record Found(Field field, Leaf values, @Nullable Leaf shapes) {}

    /** A column or list, and the type that it has by itself; no type if Stoker does not read it. */
    private record Column(Leaf leaf, @Nullable FieldType type) {}

    /** How deep a node lies: the levels that its values have at least. */
    private record Depth(int repetition, int definition) {
        Depth in(SchemaNode node) {
            return switch (node.repetition()) {
                case REQUIRED -> this;
                case OPTIONAL -> new Depth(repetition, definition + 1);
                case REPEATED -> new Depth(repetition + 1, definition + 1);
            };
        }
    }

    FieldFinder(String file, SchemaNode root, ColumnMetadata metadata) {
        this.file = file;
        for (SchemaNode node : root.children()) {
            ColumnMetadata.Named named = metadata.ofColumn().get(node.name());
            find(node, node.name(), new Depth(0, 0), named == null ? null : named.field());
        }
    }

    List<Found> fields() {
        return fields;
    }

    /** The columns that Stoker does not read. */
    Omissions omissions() {
        return omissions;
    }

    /** How many columns hold values, those that are left out too. */
    int leaves() {
        return leaves;
    }

    private void find(SchemaNode node, String path, Depth above, @Nullable Field declared) {
        if (path.length() > LONGEST_PATH) {
            throw new IllegalArgumentException("the name of a column has more than " + LONGEST_PATH + " letters");
        }
        Depth depth = above.in(node);
        if (!node.isGroup() || node.logical() == LogicalType.LIST) {
            add(column(node, path, above), path, node, declared);
        } else if (node.repetition() == Repetition.REPEATED
                || node.logical() == LogicalType.MAP
                || node.logical() == LogicalType.VARIANT) {
            omit(node, path);
            skip(node);
        } else if (declared != null && isArray(node, declared.type())) {
            addArray(node, path, depth, declared);
        } else {
            for (SchemaNode child : node.children()) {
                find(child, path + "." + child.name(), depth, null);
            }
        }
    }

    private void add(@Nullable Column column, String path, SchemaNode node, @Nullable Field declared) {
        if (column == null || column.type == null) {
            omit(node, path);
            return;
        }
        FieldType type = declared != null && fits(declared.type(), column.type) ? declared.type() : column.type;
        add(new Found(
                new Field(declared == null ? TableColumns.fieldName(path) : declared.name(), type), column.leaf, null));
    }

    private void add(Found found) {
        if (fields.size() == MOST_FIELDS) {
            throw new StokerException(
                    file,
                    "has more than " + MOST_FIELDS
                            + " columns, which are the most that Stoker reads; write it again with fewer");
        }
        fields.add(found);
    }

    /** Whether the values of a column can be of a type that our metadata tells of. */
    private static boolean fits(FieldType declared, FieldType found) {
        return switch (declared) {
            case FieldType.Tensor tensor
            when found instanceof FieldType.Array list -> list.dtype() == tensor.dtype() && list.rank() == 1;
            case FieldType.Tensor tensor
            when found instanceof FieldType.Tensor bytes -> bytes.width() == tensor.width();
            case FieldType.Array array
            when found instanceof FieldType.Bytes -> array.rank() == 1 && !ColumnWriters.isNative(array.dtype());
            default -> declared.equals(found);
        };
    }

    private static boolean isArray(SchemaNode group, FieldType declared) {
        return declared instanceof FieldType.Array array
                && array.rank() > 1
                && group.repetition() == Repetition.REQUIRED
                && group.children().size() == 2
                && group.children().get(0).name().equals(ColumnWriters.DATA)
                && group.children().get(1).name().equals(ColumnWriters.SHAPE);
    }

    /** An array as we write it: a group of its elements and its shape. */
    private void addArray(SchemaNode group, String path, Depth depth, Field declared) {
        var array = (FieldType.Array) declared.type();
        Column data = column(group.children().get(0), path + "." + ColumnWriters.DATA, depth);
        Column shape = column(group.children().get(1), path + "." + ColumnWriters.SHAPE, depth);
        FieldType elements = new FieldType.Array(array.dtype(), 1);
        if (shape != null
                && new FieldType.Array(DType.INT32, 1).equals(shape.type)
                && data != null
                && data.type != null
                && fits(elements, data.type)) {
            add(new Found(declared, data.leaf, shape.leaf));
        } else {
            add(data, path + "." + ColumnWriters.DATA, group.children().get(0), null);
            add(shape, path + "." + ColumnWriters.SHAPE, group.children().get(1), null);
        }
    }

    private void omit(SchemaNode node, String path) {
        omissions.add(path, "column of type " + node.label(), Omission.NO_SUCH_TYPE);
    }

    private void skip(SchemaNode node) {
        leaves += node.isGroup() ? 0 : 1;
        node.children().forEach(this::skip);
    }

    /** A column, or a list of one; null if Stoker does not read it. */
    private @Nullable Column column(SchemaNode node, String path, Depth above) {
        Depth depth = above.in(node);
        if (!node.isGroup()) {
            boolean isList = node.repetition() == Repetition.REPEATED;
            Leaf leaf = leaf(node, path, depth, depth.definition);
            if (depth.repetition > 1 || depth.repetition == 1 && !isList) {
                return null;
            }
            return new Column(leaf, isList ? listOf(single(node)) : single(node));
        }
        SchemaNode repeated = node.children().size() == 1 ? node.children().getFirst() : null;
        if (node.logical() != LogicalType.LIST
                || repeated == null
                || repeated.repetition() != Repetition.REPEATED
                || depth.repetition > 0) {
            skip(node);
            return null;
        }
        Depth inner = depth.in(repeated);
        SchemaNode element = element(node, repeated);
        if (element == null) {
            skip(node);
            return null;
        }
        Depth elements = repeated.isGroup() ? inner.in(element) : inner;
        Leaf leaf = leaf(element, path, elements, inner.definition);
        return new Column(leaf, listOf(single(element)));
    }

    /** The element of a list: older writers leave out the group around it. Null if it is no single column. */
    private static @Nullable SchemaNode element(SchemaNode list, SchemaNode repeated) {
        if (!repeated.isGroup()) {
            return repeated;
        }
        boolean isStruct = repeated.children().size() != 1
                || repeated.name().equals("array")
                || repeated.name().equals(list.name() + "_tuple");
        if (isStruct) {
            return null;
        }
        SchemaNode element = repeated.children().getFirst();
        return element.isGroup() || element.repetition() == Repetition.REPEATED ? null : element;
    }

    private Leaf leaf(SchemaNode node, String path, Depth depth, int element) {
        int width = node.physical() == PhysicalType.FIXED_LEN_BYTE_ARRAY
                ? node.width()
                : node.physical() == null ? -1 : node.physical().bytes();
        return new Leaf(leaves++, path, node, width, depth.repetition, depth.definition, element);
    }

    private static @Nullable FieldType listOf(@Nullable FieldType element) {
        return switch (element) {
            case FieldType.Text _ -> new FieldType.Texts();
            case FieldType.Scalar scalar -> new FieldType.Array(scalar.dtype(), 1);
            case null, default -> null;
        };
    }

    /** The type of single values. */
    private static @Nullable FieldType single(SchemaNode node) {
        LogicalType logical = node.logical();
        if (node.physical() == null
                || logical == LogicalType.DECIMAL
                || logical == LogicalType.INTERVAL
                || logical == LogicalType.UNKNOWN) {
            return null;
        }
        return switch (node.physical()) {
            case BOOLEAN -> new FieldType.Scalar(DType.BOOL);
            case INT32 -> integer(logical, DType.INT32);
            case INT64 -> integer(logical, DType.INT64);
            case FLOAT -> new FieldType.Scalar(DType.FLOAT32);
            case DOUBLE -> new FieldType.Scalar(DType.FLOAT64);
            case BYTE_ARRAY -> logical == LogicalType.TEXT ? new FieldType.Text() : new FieldType.Bytes();
            case FIXED_LEN_BYTE_ARRAY -> fixed(node);
            case INT96 -> null;
        };
    }

    private static FieldType integer(LogicalType logical, DType stored) {
        DType dtype = logical.dtype();
        if (dtype == null || !dtype.isInteger()) {
            return new FieldType.Scalar(stored);
        }
        // An annotation that the physical type cannot have means nothing.
        boolean isWide = dtype.bytes() == 8;
        return new FieldType.Scalar(isWide == (stored == DType.INT64) ? dtype : stored);
    }

    private static @Nullable FieldType fixed(SchemaNode node) {
        if (node.width() == 0) {
            return null;
        }
        return node.logical() == LogicalType.FLOAT16 && node.width() == 2
                ? new FieldType.Scalar(DType.FLOAT16)
                : new FieldType.Tensor(DType.UINT8, List.of((long) node.width()));
    }
}
