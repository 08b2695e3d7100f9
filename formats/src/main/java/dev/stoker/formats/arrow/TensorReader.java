package dev.stoker.formats.arrow;

import dev.stoker.formats.arrow.BatchCursor.Node;
import dev.stoker.formats.arrow.BatchCursor.Offsets;
import dev.stoker.formats.arrow.BatchCursor.Validity;
import dev.stoker.index.Placement;
import dev.stoker.io.LittleEndian;
import dev.stoker.sample.DType;
import dev.stoker.sample.FieldType;
import org.jspecify.annotations.Nullable;

/** Reads the extension types of tensors of any shape: a struct of {@code data} and {@code shape}. */
final class TensorReader implements ColumnReader {
    private final String column;
    private final FieldType.Array type;
    private final boolean dataFirst;
    private final boolean large;
    private final Elements elements;
    private final Elements dimensions;
    private final boolean copies;

    private TensorReader(
            String column, boolean dataFirst, boolean large, Elements elements, Elements dimensions, boolean copies) {
        this.copies = copies;
        this.column = column;
        this.dataFirst = dataFirst;
        this.large = large;
        this.elements = elements;
        this.dimensions = dimensions;
        this.type = new FieldType.Array(elements.dtype(), dimensions.levels().getFirst());
    }

    /** The reader of a struct; null if it is not such a tensor. */
    static @Nullable TensorReader of(ArrowField field) {
        boolean isTensor = field.is(ArrowField.VARIABLE_TENSOR) || field.is(ArrowField.OWN_VARIABLE_TENSOR);
        if (!isTensor || field.children().size() != 2) {
            return null;
        }
        boolean dataFirst = field.children().getFirst().name().equals("data");
        ArrowField data = field.children().get(dataFirst ? 0 : 1);
        ArrowField shape = field.children().get(dataFirst ? 1 : 0);
        if (!data.name().equals("data")
                || !shape.name().equals("shape")
                || !(data.type() instanceof ArrowType.ListOf list)
                || data.dictionary() != null) {
            return null;
        }
        Elements elements = Elements.of(data.children().getFirst());
        Elements dimensions = Elements.of(shape);
        if (elements == null || !elements.isNumber() || dimensions == null || !isShape(dimensions)) {
            return null;
        }
        return new TensorReader(field.name(), dataFirst, list.large(), elements, dimensions, false);
    }

    private static boolean isShape(Elements dimensions) {
        return dimensions.dtype() == DType.INT32
                && dimensions.levels().size() == 1
                && dimensions.perItem() >= 1
                && dimensions.perItem() <= FieldType.Array.MAX_RANK;
    }

    @Override
    public FieldType type() {
        return type;
    }

    @Override
    public Placement placement() {
        return elements.bits() || copies ? Placement.indexed(false) : Placement.stored();
    }

    @Override
    public ColumnReader copying() {
        return new TensorReader(column, dataFirst, large, elements, dimensions, true);
    }

    /** The elements of a batch and where each row's end. */
    private record Data(Validity validity, Offsets offsets, Elements.Block block) {}

    @Override
    public void read(BatchCursor batch, ValueSink to) {
        Node node = batch.column();
        Validity validity = batch.validity(node);
        Data first = dataFirst ? data(batch, node.rows()) : null;
        Elements.Block shapes = dimensions.read(batch, child(batch, node.rows()), column);
        Data data = first != null ? first : data(batch, node.rows());
        long start = node.rows() == 0 ? 0 : data.offsets.first(data.block.items());
        for (long i = 0; i < node.rows(); i++) {
            long end = data.offsets.end(i, start, data.block.items());
            if (validity.isNull(i) || data.validity.isNull(i) || shapes.hasNull(i, 1, dimensions)) {
                to.missing();
                elements.give(data.block, start, 0, batch, to, copies);
                to.shape(new long[type.rank()]);
            } else {
                elements.give(data.block, start, end - start, batch, to, copies);
                to.shape(shape(batch, shapes, i, end - start));
            }
            start = end;
        }
    }

    private Data data(BatchCursor batch, long rows) {
        Node list = child(batch, rows);
        Validity validity = batch.validity(list);
        Offsets offsets = batch.offsets(list, large);
        return new Data(validity, offsets, elements.read(batch, batch.node(), column));
    }

    private static Node child(BatchCursor batch, long rows) {
        Node node = batch.node();
        if (node.rows() < rows) {
            throw batch.corrupt("a part of a struct has " + node.rows() + " values but the struct has " + rows);
        }
        return node;
    }

    private long[] shape(BatchCursor batch, Elements.Block shapes, long row, long count) {
        var shape = new long[type.rank()];
        long product = 1;
        for (int d = 0; d < shape.length; d++) {
            shape[d] = batch.bytes().get(LittleEndian.U32, shapes.offset() + 4 * (row * shape.length + d));
            product = shape[d] < 0 ? -1 : Math.multiplyExact(product, shape[d]);
            if (product < 0) {
                break;
            }
        }
        if (product != count) {
            throw batch.corrupt("in column '" + column + "', row " + row + " has " + count
                    + " elements but its shape is " + java.util.Arrays.toString(shape));
        }
        return shape;
    }
}
