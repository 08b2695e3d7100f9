package dev.stoker.formats.parquet.write;

import dev.stoker.StokerException;
import dev.stoker.format.CompressedBlocks;
import dev.stoker.format.FormatOptions;
import dev.stoker.formats.parquet.schema.LogicalType;
import dev.stoker.formats.parquet.schema.PhysicalType;
import dev.stoker.formats.parquet.schema.SchemaNode;
import dev.stoker.sample.DType;
import dev.stoker.sample.Field;
import dev.stoker.sample.FieldType;
import dev.stoker.sample.Samples;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which columns the fields become. */
public final class ColumnWriters {
    public static final String DATA = "data";
    public static final String SHAPE = "shape";

    private final Samples samples;
    private final @Nullable CompressedBlocks blocks;
    private final List<SchemaNode> nodes = new ArrayList<>();
    private final List<LeafColumn> leaves = new ArrayList<>();

    /** @param blocks the values of some fields, if they were compressed */
    ColumnWriters(Samples samples, FormatOptions options, @Nullable CompressedBlocks blocks) {
        this.samples = samples;
        this.blocks = blocks;
        List<Field> named = options.renamed(samples.schema()).fields();
        for (int f = 0; f < named.size(); f++) {
            add(f, named.get(f));
        }
    }

    List<SchemaNode> nodes() {
        return nodes;
    }

    List<LeafColumn> leaves() {
        return leaves;
    }

    /** Whether elements of an array are stored as they are; others would take four bytes for one or two. */
    public static boolean isNative(DType dtype) {
        return dtype.bytes() >= 4 || dtype == DType.FLOAT16;
    }

    static PhysicalType physical(DType dtype) {
        return switch (dtype) {
            case BOOL -> PhysicalType.BOOLEAN;
            case INT8, INT16, INT32, UINT8, UINT16, UINT32 -> PhysicalType.INT32;
            case INT64, UINT64 -> PhysicalType.INT64;
            case FLOAT16 -> PhysicalType.FIXED_LEN_BYTE_ARRAY;
            case FLOAT32 -> PhysicalType.FLOAT;
            case FLOAT64 -> PhysicalType.DOUBLE;
        };
    }

    private static int width(DType dtype) {
        return dtype == DType.FLOAT16 ? 2 : 0;
    }

    /** No switch over types: that is linked when it first runs, which takes longer than all the planning of a column. */
    private void add(int f, Field column) {
        String name = column.name();
        FieldType type = column.type();
        if (type instanceof FieldType.Scalar scalar) {
            scalar(f, name, scalar);
        } else if (type instanceof FieldType.Tensor tensor) {
            tensor(f, column, tensor);
        } else if (type instanceof FieldType.Array array) {
            array(f, name, array);
        } else if (type instanceof FieldType.Texts) {
            nodes.add(SchemaNode.list(name, PhysicalType.BYTE_ARRAY, 0, LogicalType.TEXT));
            leaf(f, listPath(name), PhysicalType.BYTE_ARRAY, new PageWriter.TextLists(samples, f));
        } else {
            bytes(f, name, type instanceof FieldType.Text ? LogicalType.TEXT : LogicalType.NONE);
        }
    }

    private void leaf(int field, List<String> path, PhysicalType physical, PageWriter writer) {
        leaves.add(new LeafColumn(field, path, physical, null, writer));
    }

    private void bytes(int f, String name, LogicalType logical) {
        nodes.add(SchemaNode.column(name, PhysicalType.BYTE_ARRAY, 0, logical));
        leaf(f, List.of(name), PhysicalType.BYTE_ARRAY, byteArrays(f));
    }

    private PageWriter byteArrays(int f) {
        return blocks != null && blocks.cut().fields().contains(f)
                ? new PageWriter.Compressed(blocks, f)
                : new PageWriter.ByteArrays(samples, f);
    }

    /** Whether the values of a field are compressed, if anything is. */
    public static boolean isCompressible(FieldType type) {
        return type instanceof FieldType.Bytes || type instanceof FieldType.Text;
    }

    private void scalar(int f, String name, FieldType.Scalar type) {
        DType dtype = type.dtype();
        nodes.add(SchemaNode.column(name, physical(dtype), width(dtype), LogicalType.of(dtype)));
        PageWriter writer;
        if (dtype == DType.BOOL) {
            writer = new PageWriter.Bits(samples, f);
        } else if (isNative(dtype)) {
            writer = new PageWriter.Fixed(f, type.width());
        } else {
            writer = new PageWriter.Widened(samples, f, type);
        }
        leaves.add(new LeafColumn(f, List.of(name), physical(dtype), dtype, writer));
    }

    private void tensor(int f, Field column, FieldType.Tensor type) {
        // The specification knows no fixed-length bytes of length 0.
        if (isNative(type.dtype()) || type.width() == 0) {
            nodes.add(numberList(column.name(), type.dtype()));
            numbers(f, listPath(column.name()), type.dtype());
            return;
        }
        if (type.width() > Integer.MAX_VALUE) {
            throw new StokerException(
                    "field '" + samples.schema().fields().get(f).name() + "' of type " + type.label()
                            + " has values of " + type.width() + " bytes, but in a Parquet file they have at most "
                            + Integer.MAX_VALUE + "; choose another format, such as stk");
        }
        nodes.add(SchemaNode.column(
                column.name(), PhysicalType.FIXED_LEN_BYTE_ARRAY, (int) type.width(), LogicalType.NONE));
        leaf(f, List.of(column.name()), PhysicalType.FIXED_LEN_BYTE_ARRAY, new PageWriter.Fixed(f, type.width()));
    }

    private static SchemaNode numberList(String name, DType dtype) {
        return SchemaNode.list(name, physical(dtype), width(dtype), LogicalType.of(dtype));
    }

    private void numbers(int f, List<String> path, DType dtype) {
        leaf(f, path, physical(dtype), new PageWriter.NumberLists(samples, f, dtype.bytes()));
    }

    private void array(int f, String name, FieldType.Array type) {
        DType dtype = type.dtype();
        if (type.rank() == 1) {
            if (isNative(dtype)) {
                nodes.add(numberList(name, dtype));
                numbers(f, listPath(name), dtype);
            } else {
                bytes(f, name, LogicalType.NONE);
            }
            return;
        }
        SchemaNode data = isNative(dtype)
                ? numberList(DATA, dtype)
                : SchemaNode.column(DATA, PhysicalType.BYTE_ARRAY, 0, LogicalType.NONE);
        nodes.add(SchemaNode.group(name, data, SchemaNode.list(SHAPE, PhysicalType.INT32, 0, LogicalType.NONE)));
        if (isNative(dtype)) {
            numbers(f, listPath(name, DATA), dtype);
        } else {
            leaf(f, List.of(name, DATA), PhysicalType.BYTE_ARRAY, new PageWriter.ByteArrays(samples, f));
        }
        leaf(f, listPath(name, SHAPE), PhysicalType.INT32, new PageWriter.Shapes(samples, f, type.rank()));
    }

    private static List<String> listPath(String... names) {
        var path = new ArrayList<>(List.of(names));
        path.add("list");
        path.add("element");
        return path;
    }
}
